//! Editorial content: blog, pages, podcast, product pages; and editing it.

pub mod editing;
pub mod podcasts;
pub mod product_pages;
pub mod texts;
