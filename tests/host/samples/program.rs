// SPDX-License-Identifier: BSD-2-Clause
//! program.rs - a program in Rust with generics, closures, calls through trait objects and function
//! pointers, and a function that does not run.

use std::hint::black_box;

trait Shape {
    fn area(&self) -> u32;
}
struct Square(u32);
struct Round(u32);

impl Shape for Square {
    fn area(&self) -> u32 {
        self.0 * self.0
    }
}
impl Shape for Round {
    fn area(&self) -> u32 {
        if self.0 > 30 { 30 } else { 3 * self.0 }
    }
}

fn larger<T: PartialOrd>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

#[inline(never)]
fn decide(a: bool, b: bool, c: bool) -> u32 {
    if (a && b) || c { 1 } else { 2 }
}

fn once(n: u32) -> u32 {
    n + 1
}
fn twice(n: u32) -> u32 {
    n + n
}

#[allow(dead_code)]
pub fn never(n: u32) -> u32 {
    match n {
        0 => 7,
        _ => n,
    }
}

fn main() {
    let runs: u32 = std::env::args().nth(1).map_or(1, |s| s.parse().unwrap());
    let table: [fn(u32) -> u32; 2] = [once, twice];
    let mut total = 0u32;

    for i in 0..20 * runs {
        let shape: Box<dyn Shape> = if i % 4 == 0 { Box::new(Round(i)) } else { Box::new(Square(i)) };
        total = total.wrapping_add(black_box(shape).area());
        total = total.wrapping_add(black_box(table)[(i % 3 == 0) as usize](i));
        total = total.wrapping_add(larger(i, 7) + decide(i & 1 > 0, i & 2 > 0, runs & 1 > 0));
    }
    if runs > 1 {
        total = (0..runs).map(|n| larger(2.0, f64::from(n)) as u32).sum();
    }
    std::process::exit((total == 123456789) as i32);
}
