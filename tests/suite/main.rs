//! All tests of Motix that need the whole pipeline, as one binary.

mod api;
mod behaviors;
mod editors;
mod fixtures;
mod fuzzing;
mod generated;
mod hostile;
mod known_faults_of_hosts;
mod library;
mod limits;
mod links;
#[path = "../../vm/tests/program/memory.rs"]
mod memory;
mod migration;
mod migration_edits;
mod model;
mod model_properties;
mod pages;
mod promises;
mod reference;
mod rollback;
mod threads;
mod tidy;
mod timeline;
mod transcripts;
