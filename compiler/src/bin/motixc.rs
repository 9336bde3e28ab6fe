//! The command `motixc`: hands its arguments to [`motix_compiler`] and exits with the code that comes back.

fn main() {}
