//! The banner, the pages and the quizzes on the wire, as editors see them. Times are milliseconds since the Unix epoch.

use challenge::{DIMENSIONS, Dimension, Question, QuestionDraft, QuizKind};
use editorial::Banner;
use http_core::error::ApiError;
use kernel::{QuestionId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::editing::{
    rows::Versioned,
    site::{EditedPage, PageContent, PageEdit},
};

use super::rows_types::Version;

/// The offer above every page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditorBanner {
    /// What it says; empty while none was written.
    text: String,
    /// What its link says.
    link_text: String,
    /// Where its link leads: a path of this site.
    href: String,
    /// From when on it is shown; null: at once.
    #[schema(required)]
    from: Option<i64>,
    /// From when on it is not shown any more; null: it stays.
    #[schema(required)]
    until: Option<i64>,
    /// Whether it is shown at all.
    on: bool,
    /// Whether readers see it now.
    shown: bool,
    #[serde(flatten)]
    version: Version,
}

/// The banner.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct EditorBannerResult {
    /// The banner.
    banner: EditorBanner,
}

impl EditorBannerResult {
    /// The banner as it is at a moment.
    pub(super) fn at(one: Versioned<Banner>, now: Timestamp) -> Self {
        let shown = one.row.is_shown_at(now);
        let Banner { text, link_text, href, from, until, is_on } = one.row;
        let [from, until] = [from, until].map(|at| at.map(Timestamp::millis));
        Self {
            banner: EditorBanner { text, link_text, href, from, until, on: is_on, shown, version: one.version.into() },
        }
    }
}

/// What an editor writes of the banner.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BannerForm {
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(super) version: Option<i64>,
    /// What it says, in plain text, at most 160 characters.
    #[serde(default)]
    text: String,
    /// What its link says.
    #[serde(default)]
    link_text: String,
    /// Where its link leads: a path of this site.
    #[serde(default)]
    href: String,
    /// From when on it is shown; null: at once.
    from: Option<i64>,
    /// From when on it is not shown any more; null: it stays.
    until: Option<i64>,
    /// Whether it is shown at all.
    #[serde(default)]
    on: bool,
}

/// The greatest moment that a date may be: the end of the year 9999.
const LATEST: i64 = 253_402_300_799_000;

impl BannerForm {
    /// Reads the fields.
    pub(super) fn read(self) -> Result<Banner, ApiError> {
        let moment = |field: &'static str, millis: Option<i64>| match millis {
            Some(millis) if !(0..=LATEST).contains(&millis) => Err(ApiError::invalid(field, "Please give a date.")),
            millis => Ok(millis.map(Timestamp::from_millis)),
        };
        Ok(Banner {
            from: moment("from", self.from)?,
            until: moment("until", self.until)?,
            text: self.text,
            link_text: self.link_text,
            href: self.href,
            is_on: self.on,
        })
    }
}

/// Of what kind a page is.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum PageKind {
    /// One text in HTML.
    Site,
    /// Texts in plain words around what is sold.
    Product,
}

/// A page in the list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditorPageRow {
    /// Its name.
    id: String,
    /// Where it is read.
    path: String,
    /// Of what kind it is.
    kind: PageKind,
    /// Its title; empty while it was not written.
    title: String,
    #[serde(flatten)]
    version: Version,
}

/// All pages.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct EditorPagesResult {
    /// The pages.
    pages: Vec<EditorPageRow>,
}

/// One of the texts of a page of a product.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditorPageText {
    /// Its name, such as `block.0.title`.
    name: String,
    /// What it is, for people.
    label: String,
    /// The text, in plain words, with placeholders such as `{price.yearly}`.
    text: String,
    /// Whether it is a paragraph rather than a line.
    long: bool,
}

/// A page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditorPage {
    #[serde(flatten)]
    row: EditorPageRow,
    /// What search engines show; empty of a product's page.
    description: String,
    /// The text in HTML; empty of a product's page.
    text: String,
    /// The texts of a product's page, in their order on it.
    texts: Vec<EditorPageText>,
}

/// A page.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct EditorPageResult {
    /// The page.
    page: EditorPage,
}

fn page_row(page: &Versioned<EditedPage>) -> EditorPageRow {
    let kind = match page.row.content {
        PageContent::Site(_) => PageKind::Site,
        PageContent::Product(_) => PageKind::Product,
    };
    let EditedPage { slug, path, title, .. } = page.row.clone();
    EditorPageRow { id: slug.to_owned(), path, kind, title, version: page.version.clone().into() }
}

impl From<Vec<Versioned<EditedPage>>> for EditorPagesResult {
    fn from(pages: Vec<Versioned<EditedPage>>) -> Self {
        Self { pages: pages.iter().map(page_row).collect() }
    }
}

impl From<Versioned<EditedPage>> for EditorPageResult {
    fn from(page: Versioned<EditedPage>) -> Self {
        let row = page_row(&page);
        let page = match page.row.content {
            PageContent::Site(one) => {
                EditorPage { row, description: one.description, text: one.text, texts: Vec::new() }
            }
            PageContent::Product(texts) => {
                let texts = texts.into_iter().map(|one| EditorPageText {
                    name: one.name,
                    label: one.label,
                    text: one.text,
                    long: one.is_long,
                });
                EditorPage { row, description: String::new(), text: String::new(), texts: texts.collect() }
            }
        };
        Self { page }
    }
}

/// A text of a product's page.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(super) struct PageTextForm {
    /// Its name.
    name: String,
    /// The text, in plain words.
    text: String,
}

/// What an editor writes of a page. What is left out stays as it is.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(super) struct PageForm {
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(super) version: Option<i64>,
    /// The title.
    title: Option<String>,
    /// What search engines show.
    description: Option<String>,
    /// The text in HTML. What may not stand in one is taken out.
    text: Option<String>,
    /// The texts of a product's page.
    #[serde(default)]
    texts: Vec<PageTextForm>,
}

impl PageForm {
    /// Reads the fields, in their order on the form.
    pub(super) fn read(self) -> Result<PageEdit, ApiError> {
        let fields = [
            ("title", "Title", &self.title),
            ("description", "Description", &self.description),
            ("text", "Text", &self.text),
        ];
        for (field, label, text) in fields {
            if text.as_ref().is_some_and(|text| text.trim().is_empty()) {
                return Err(ApiError::invalid(field, format!("Please specify {label}.")));
            }
        }
        let texts = self.texts.into_iter().map(|one| (one.name, one.text)).collect();
        Ok(PageEdit { title: self.title, description: self.description, text: self.text, texts })
    }
}

/// A statement of a quiz.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct EditorQuestion {
    /// Its id.
    id: i64,
    /// What a True counts for.
    dimension: &'static str,
    /// The statement.
    statement: String,
}

/// A quiz.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditorQuiz {
    /// Its statements, in their order.
    questions: Vec<EditorQuestion>,
    /// What it measures.
    dimensions: Vec<&'static str>,
    #[serde(flatten)]
    version: Version,
}

/// A quiz.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct EditorQuizResult {
    /// The quiz.
    quiz: EditorQuiz,
}

impl EditorQuizResult {
    /// A quiz of a kind.
    pub(super) fn of(kind: QuizKind, one: Versioned<Vec<Question>>) -> Self {
        let questions = one.row.into_iter().map(|question| EditorQuestion {
            id: question.id.get(),
            dimension: question.dimension.name(),
            statement: question.statement,
        });
        let dimensions =
            DIMENSIONS.iter().filter(|dimension| dimension.kind() == kind).map(|dimension| dimension.name());
        let (questions, dimensions) = (questions.collect(), dimensions.collect());
        Self { quiz: EditorQuiz { questions, dimensions, version: one.version.into() } }
    }
}

/// A statement as an editor writes it.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(super) struct QuestionForm {
    /// Its id; a new one has none.
    #[schema(minimum = 1)]
    id: Option<i64>,
    /// What a True counts for.
    dimension: String,
    /// The statement, at most 200 characters.
    statement: String,
}

/// A quiz as an editor writes it: all its statements, in their order. Those that are left out are gone.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(super) struct QuizForm {
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(super) version: Option<i64>,
    /// The statements.
    questions: Vec<QuestionForm>,
}

impl QuizForm {
    /// Reads the statements.
    pub(super) fn read(self) -> Result<Vec<QuestionDraft>, ApiError> {
        let wrong = |text: &str| ApiError::invalid("questions", text);
        let drafts = self.questions.into_iter().map(|one| {
            let id = one.id.map(QuestionId::new).transpose().map_err(|_| wrong("There is no such statement."))?;
            let dimension: Dimension = one.dimension.parse().map_err(|_| wrong("Please specify Type."))?;
            Ok(QuestionDraft { id, dimension, statement: one.statement })
        });
        drafts.collect()
    }
}
