//! All tests of Motix that need the whole pipeline, as one binary.

mod tidy;
