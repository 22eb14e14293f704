//! Preparation of texts for speech programs, and processing of their audio.
//!
//! [`sentences`] splits a text into sentences that a speech program reads well. The audio of one sentence is a [`Sound`]. A
//! [`Track`] joins sounds and pauses and tracks, to the sample, when each begins. [`captions`] writes the texts with their
//! times. Pure: no files, no programs, no clock.

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
