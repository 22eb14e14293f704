//! Text as it is spoken, and sound as samples: what reading aloud needs besides a program that speaks.
//!
//! A text is made into *sentences* that a speech program reads well ([`sentences`]); what the program says of each is a
//! [`Sound`]; a [`Track`] joins sounds and pauses and knows to the sample when each begins; [`captions`] writes what is
//! said when. Pure: no files, no programs, no clock.

mod captions;
mod numbers;
mod sentences;
mod sound;
mod track;
mod wav;

pub use captions::{Cue, captions};
pub use sentences::sentences;
pub use sound::Sound;
pub use track::Track;
pub use wav::{WavError, read_wav, write_wav};
