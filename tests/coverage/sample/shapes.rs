// SPDX-License-Identifier: BSD-2-Clause
//! Generic functions, closures, traits, macros, pattern matching and a panic that is caught.
use std::collections::BTreeMap;
use std::fmt::Display;

macro_rules! larger {
    ($a:expr, $b:expr) => {
        if $a > $b { $a } else { $b }
    };
}

trait Shape {
    fn area(&self) -> u32;
    fn name(&self) -> String {
        String::from("shape")
    }
}

struct Square(u32);
struct Line;

impl Shape for Square {
    fn area(&self) -> u32 {
        self.0 * self.0
    }
}

impl Shape for Line {
    fn area(&self) -> u32 {
        0
    }
    fn name(&self) -> String {
        "line".into()
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Empty,
    One(u32),
    Two { a: u32, b: u32 },
}

fn classify(n: u32) -> Kind {
    match n {
        0 => Kind::Empty,
        1 | 3 | 5 => Kind::One(n),
        n if n % 2 == 0 && n > 4 => Kind::Two { a: n, b: n / 2 },
        7..=9 => Kind::One(larger!(n, 8)),
        _ => Kind::Empty,
    }
}

fn half(n: u32) -> Option<u32> {
    let whole = if n % 2 == 0 { Some(n) } else { None }?;
    (whole > 2).then(|| whole / 2)
}

fn parse(text: &str) -> Result<u32, std::num::ParseIntError> {
    let n: u32 = text.parse()?;
    Ok(n + 1)
}

fn show<T: Display + PartialOrd>(a: T, b: T) -> String {
    if a < b {
        format!("{a}")
    } else {
        format!("{b}")
    }
}

fn never<T: Copy>(a: &[T]) -> T {
    assert!(!a.is_empty(), "nothing");
    a[0]
}

fn first<T: Copy + Ord>(list: &[T]) -> Option<T> {
    let mut best = None;
    for &entry in list {
        best = match best {
            Some(b) if b <= entry => Some(b),
            _ => Some(entry),
        };
    }
    best
}

fn main() {
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(3)), Box::new(Line)];
    let area: u32 = shapes.iter().map(|s| s.area() + s.name().len() as u32).sum();
    let mut seen = BTreeMap::new();
    for n in 0..12 {
        *seen.entry(format!("{:?}", classify(n))).or_insert(0) += half(n).unwrap_or_else(|| n + 1);
    }
    let parsed: Vec<_> = ["1", "x", "30"].iter().map(|t| parse(t)).collect();
    let mut left = 5;
    while let Some(n) = half(left) {
        left = n;
    }
    let caught = std::panic::catch_unwind(|| {
        let list: Vec<u32> = Vec::new();
        never(&list)
    });
    let lazy = || {
        if area > 1_000_000 {
            never(&[1u8]) as u32
        } else {
            2
        }
    };
    println!("{} {:?} {:?} {} {}", area, seen, parsed.iter().flatten().sum::<u32>(), left, lazy());
    println!("{} {} {:?} {:?}", show(1, 2), show("b", "a"), first(&[3, 1, 2]), first::<u8>(&[]));
    println!("{} {}", caught.is_err(), Kind::Empty == classify(0) || Kind::One(1) == Kind::Empty);
}
