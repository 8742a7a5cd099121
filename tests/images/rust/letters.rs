// SPDX-License-Identifier: BSD-2-Clause
//! letters.rs - the Rust part of a kernel. C code calls it, and it calls C code.
#![no_std]

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

extern "C" {
    fn is_vowel(letter: u8) -> bool;
}

/// # Safety
/// `text` must point to `length` readable bytes.
#[no_mangle]
pub unsafe extern "C" fn vowels(text: *const u8, length: usize) -> u32 {
    let mut n = 0;
    let mut i = 0;
    while i < length {
        if is_vowel(*text.add(i)) {
            n += 1;
        }
        i += 1;
    }
    if n as usize > length {
        n = never(n);
    }
    n
}

#[inline(never)]
fn never(n: u32) -> u32 {
    n / 2
}
