//! The result of a quiz as a picture, and its detailed report as a PDF (`challenge.quiz-report`).

use crate::challenge::quizzes::QuizReport;
use artwork::{ResultSpec, ShareSpec};
use catalogue::BookCard;
use challenge::{QuizKind, QuizResult, Total};
use documents::{Picture, PictureKind, ReportBook, ReportPart};
use tokio::task::spawn_blocking;

use crate::delivery::book_files::{BookFileError, BookFiles, LANGUAGE, TYPESETTING};

impl BookFiles {
    /// The report on a quiz as a PDF. It is not cached: only one person requests it.
    pub async fn make_quiz_report(&self, report: &QuizReport) -> Result<Vec<u8>, BookFileError> {
        let document = self.quiz_report(report);
        let _turn = TYPESETTING.acquire().await.map_err(|_| BookFileError::BrokenOff)?;
        Ok(spawn_blocking(move || documents::report_pdf(&document)).await.map_err(|_| BookFileError::BrokenOff)??)
    }

    fn quiz_report(&self, report: &QuizReport) -> documents::QuizReport {
        let result = &report.saved.result;
        let leaders = result.leaders();
        let part = |(total, books): &(Total, Vec<BookCard>)| {
            let words = total.dimension.report();
            ReportPart {
                name: total.dimension.name().to_owned(),
                percent: total.percent(),
                leads: leaders.contains(&total.dimension),
                title: words.title.to_owned(),
                meaning: words.meaning.to_owned(),
                caution: words.caution.to_owned(),
                practice: words.practice.to_owned(),
                books: books.iter().map(|book| self.report_book(book)).collect(),
            }
        };
        let (quiz, path) = match result.kind {
            QuizKind::Intelligence => ("Intelligence Quiz", "quiz"),
            QuizKind::Personality => ("Personality Quiz", "personality-quiz"),
        };
        let shares = result_shares(result);
        documents::QuizReport {
            url: format!("{}/{path}", self.public_url),
            quiz: quiz.to_owned(),
            headline: report_headline(result),
            reader: report.reader.clone(),
            taken: report.taken_on.clone(),
            slice: Some(Picture { bytes: artwork::result_slice(&shares).into_bytes(), kind: PictureKind::Svg }),
            parts: report.sections.iter().map(part).collect(),
            language: LANGUAGE.to_owned(),
            site: self.site_name.clone(),
        }
    }

    fn report_book(&self, book: &BookCard) -> ReportBook {
        ReportBook {
            title: book.title.clone(),
            author: book.author.name.clone(),
            url: format!("{}/books/{}", self.public_url, book.subid),
        }
    }
}

/// The shares of a result, as the picture shows them.
fn result_shares(result: &QuizResult) -> Vec<ShareSpec<'static>> {
    let leaders = result.leaders();
    let share = |total: &Total| ShareSpec {
        name: total.dimension.name(),
        percent: total.percent(),
        hue: f64::from(total.dimension.hue()),
        leads: leaders.contains(&total.dimension),
    };
    result.totals.iter().map(share).collect()
}

/// The picture of a quiz's result: an SVG document in the size of a sharing card.
pub fn result_picture(result: &QuizResult, site: &str) -> String {
    let (label, headline) = result.headline();
    artwork::result_card(&ResultSpec { label, headline: &headline, shares: &result_shares(result), site })
}

/// The result in the second person: `I am strongest in Spatial` becomes `You are strongest in Spatial`.
fn report_headline(result: &QuizResult) -> String {
    let (label, headline) = result.headline();
    let label = label.replace("I am", "You are").replace("My", "Your");
    if label.is_empty() { headline } else { format!("{label} {headline}") }
}

#[cfg(test)]
mod tests {
    use challenge::{Dimension, Question};
    use kernel::QuestionId;

    use super::*;

    #[test]
    fn a_report_speaks_to_its_reader() {
        let questions = [Dimension::Red, Dimension::Blue].map(|dimension| Question {
            id: QuestionId::from_store(i64::from(dimension.hue())),
            dimension,
            statement: "I do.".to_owned(),
        });
        let of = |counts: &[u16]| {
            report_headline(&QuizResult::of_counts(QuizKind::Personality, &questions, counts).expect("a result"))
        };
        assert_eq!(of(&[1, 0]), "Your color is Red");
        assert_eq!(of(&[1, 1]), "Your colors are Red and Blue");
        assert_eq!(of(&[0, 0]), "Nothing stood out");
    }
}
