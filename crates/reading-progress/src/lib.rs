//! reading-progress
