//! Editorial texts: blog, pages, podcasts, pages of products; and editing them.

pub mod editing;
pub mod podcasts;
pub mod product_pages;
pub mod texts;
