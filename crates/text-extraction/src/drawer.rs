//! Renders untrusted drawings (SVG) to pixels, in a separate process: the parent's and the child's side.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::panic;
use std::path::PathBuf;
use std::process::ExitCode;

use artwork::raster::{self, Pixels, RasterError};

use crate::child::{failure, run_limited};
use crate::limits::ProcessLimits;
use crate::process::{LimitedProgram, ProcessError};

/// The largest drawing that the child reads, in bytes.
const MAX_INPUT: u64 = 8 * 1024 * 1024;
/// The child's argument for a PNG file …
const PNG: &str = "png";
/// … and for raw pixels: width and height as four little-endian bytes each, then the bytes of [`Pixels`].
const PIXELS: &str = "pixels";

/// The first byte of the child's output: the picture follows …
const DRAWN: u8 = b'+';
/// … the input is not a drawing …
const NOT_A_DRAWING: u8 = b'!';
/// … or the drawing has no pixels, or too many.
const SIZE: u8 = b'#';

/// Why a drawing could not be rendered.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    /// The drawing itself is invalid or has a wrong size.
    #[error(transparent)]
    Drawing(#[from] RasterError),
    /// Rendering exceeds the process's time or memory, or crashes it. The text is for the log.
    #[error("drawing it takes too much: {0}")]
    TooMuch(String),
    /// The machine was too busy, or something killed the process: a retry may succeed.
    #[error("drawing it was interrupted")]
    Interrupted,
    /// The process could not be started, which is the server's fault.
    #[error("drawings can't be drawn at the moment")]
    Unavailable(#[source] io::Error),
}

impl From<ProcessError> for DrawError {
    fn from(error: ProcessError) -> Self {
        match error {
            ProcessError::OutOfProcessorTime => Self::TooMuch("time".to_owned()),
            ProcessError::OutOfMemory => Self::TooMuch("memory".to_owned()),
            ProcessError::Crashed(status) => Self::TooMuch(status),
            ProcessError::TimedOut | ProcessError::Killed | ProcessError::Cancelled => Self::Interrupted,
            ProcessError::Unavailable(error) => Self::Unavailable(error),
        }
    }
}

/// Starts processes that render drawings. Callers limit how many run at a time.
#[derive(Clone, Debug)]
pub struct Drawer(LimitedProgram);

impl Drawer {
    /// Creates a drawer. `program`, started with `arguments`, must call [`run_drawing_child`].
    pub fn new(program: PathBuf, arguments: Vec<OsString>, limits: ProcessLimits) -> Self {
        Self(LimitedProgram::new(program, arguments, limits))
    }

    /// Renders a drawing as a PNG file of this width, in pixels. Blocks until it is rendered.
    pub fn png(&self, svg: impl AsRef<[u8]> + Send + 'static, width: u32) -> Result<Vec<u8>, DrawError> {
        self.draw(svg, PNG, width)
    }

    /// Like [`Drawer::png`], but returns raw pixels.
    pub fn pixels(&self, svg: impl AsRef<[u8]> + Send + 'static, width: u32) -> Result<Pixels, DrawError> {
        let mut answer = self.draw(svg, PIXELS, width)?;
        let number = |at: usize| answer.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes);
        let size = number(0).zip(number(4));
        let (width, height) = size.ok_or_else(|| DrawError::TooMuch("no size".to_owned()))?;
        let rgba = answer.split_off(8);
        if rgba.len() as u64 != 4 * u64::from(width) * u64::from(height) {
            return Err(DrawError::TooMuch("the answer is cut off".to_owned()));
        }
        Ok(Pixels { width, height, rgba })
    }

    fn draw(&self, svg: impl AsRef<[u8]> + Send + 'static, form: &str, width: u32) -> Result<Vec<u8>, DrawError> {
        let mut answer = self.0.start(svg, &[form, &width.to_string()])?.wait()?;
        match answer.first() {
            Some(&DRAWN) => Ok(answer.split_off(1)),
            Some(&NOT_A_DRAWING) => Err(RasterError::NotADrawing.into()),
            Some(&SIZE) => Err(RasterError::Size.into()),
            _ => Err(DrawError::TooMuch("no answer".to_owned())),
        }
    }
}

/// Reads a drawing from standard input and writes its pixels to standard output. `command` is the subcommand that leads here
/// (`["draw"]`), `arguments` are those after it.
pub fn run_drawing_child(command: &[&str], arguments: &[String]) -> ExitCode {
    run_limited(command, arguments, |rest| {
        panic::set_hook(Box::new(|_| {}));
        match draw_input(rest) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => failure(&error),
        }
    })
}

fn draw_input(arguments: &[String]) -> Result<(), String> {
    let [form, width] = arguments else { return Err("the form or the width is missing".to_owned()) };
    let width = width.parse().map_err(|_| format!("`{width}` is no width"))?;
    let mut svg = Vec::new();
    io::stdin().lock().take(MAX_INPUT).read_to_end(&mut svg).map_err(|error| format!("cannot read: {error}"))?;
    let drawn = match std::str::from_utf8(&svg) {
        Err(_) => Err(RasterError::NotADrawing),
        Ok(svg) if form == PNG => raster::png(svg, width).map(|file| (Vec::new(), file)),
        Ok(svg) => raster::pixels(svg, width)
            .map(|Pixels { width, height, rgba }| ([width.to_le_bytes(), height.to_le_bytes()].concat(), rgba)),
    };
    let mut output = io::stdout().lock();
    let written = match drawn {
        Ok((head, picture)) => {
            output.write_all(&[DRAWN]).and_then(|()| output.write_all(&head)).and_then(|()| output.write_all(&picture))
        }
        Err(RasterError::NotADrawing) => output.write_all(&[NOT_A_DRAWING]),
        Err(RasterError::Size) => output.write_all(&[SIZE]),
    };
    written.and_then(|()| output.flush()).map_err(|error| error.to_string())
}
