//! Reading: positions, the library, ratings, and publication notices.

pub mod publication_notices;
pub mod reading;
