//! The back office: what people write to it, and what it may see.
