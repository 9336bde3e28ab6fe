//! All tests of Motix that need the whole pipeline, as one binary.

mod editors;
mod generated;
mod links;
mod reference;
mod tidy;
mod timeline;
