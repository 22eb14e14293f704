//! Generated pictures as SVG: book covers, category images, scenes of key ideas, infographics, sharing cards, highlights, years, the Pith
//! logo, QR codes; and rasterization of any of them ([`raster`]).
//!
//! Pure functions: the same input gives the same picture, without I/O, clock or randomness. All text is drawn as outlines,
//! because an SVG in an `<img>` can't use web fonts.
//!
//! Words: a *composition* is one way to fill the square of a cover; *tones* are the colours of a drawing; a *ground* is a
//! background; a *scheme* assigns tones to a ground. Invariants: text has a contrast of at least 4.5 on its ground for every
//! hue; a title never leaves its area; a picture is well-formed XML for any text, and below 25 kB for a title of 60 letters.

mod card;
mod category;
mod characters;
mod colour;
mod compose;
mod cover;
mod dice;
mod face;
mod fruit;
mod highlight;
mod infographic;
mod mark;
mod passage;
mod qr;
pub mod raster;
mod result;
mod scene;
mod setting;
mod slide;
mod svg;
mod year;

pub use card::{CARD_COVER, CARD_HEIGHT, CARD_WIDTH, CardSpec, card, site_card};
pub use category::{COLLECTION_HEIGHT, COLLECTION_WIDTH, category_image, collection_image};
pub use cover::{COVER_HEIGHT, COVER_WIDTH, CoverSpec, cover};
pub use dice::seed_of;
pub use highlight::{HIGHLIGHT_CARD_HEIGHT, HIGHLIGHT_CARD_WIDTH, HighlightCardSpec, HighlightColor, highlight_card};
pub use infographic::{INFOGRAPHIC_WIDTH, IdeaSpec, InfographicSpec, infographic, infographic_thumb, patchwork};
pub use mark::{app_icon, mark};
pub use qr::{QrError, qr_code};
pub use result::{ResultSpec, SLICE_SIDE, ShareSpec, result_card, result_slice};
pub use scene::{Good, Ground, Load, Mood, Motif, SCENE_SIDE, SceneSpec, scene};
pub use slide::{SLIDE_HEIGHT, SLIDE_WIDTH, SlidePicture, SlideSpec, slide};
pub use year::{MonthSpec, YearCardSpec, year_card};
