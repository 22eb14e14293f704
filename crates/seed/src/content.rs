//! Seed content: read from files and checked as a whole before anything is written.
//!
//! `categories.toml`, `goals.toml`, `collections.toml`, `authors/<slug>.toml`, editorial content ([`super::editorial`]), and
//! for each book `books/<subid>/book.toml`, `body.html` and, optionally, `cover.svg` (or `.jpg`, `.jpeg`, `.png`, `.webp`) and
//! `visuals.toml` with its illustrated key ideas. `idea_links.toml` ([`super::idea_links`]), `quizzes.toml`,
//! `site/<name>.json` and files of the object store ([`super::stored`]), which entries name by their keys, are optional.

use std::{borrow::Cow, collections::BTreeSet};

use artwork::{Ground, Motif};
use catalogue::{
    AuthorDraft, BookDraft, BookExtras, CategoryDraft, CollectionDraft, GoalDraft, GoalPictures, Quote, VisualDraft,
    VisualsDraft, thumb_of_infographic,
};
use challenge::{Dimension, QuizKind};
use kernel::Slug;
use serde::{Deserialize, Serialize};
use workflows::catalogue::drawings::{DrawnIdea, write_drawing};

use super::{
    editorial::EditorialContent,
    files::Files,
    idea_links::{IDEA_LINKS, SeedIdeaLink},
    reader::Reader,
    recorded::Recorded,
};

/// A quiz and its statements, each with the dimension that a "True" answer counts toward.
pub(super) type Quiz = (QuizKind, Vec<(Dimension, String)>);

/// The content of a set of seed files.
#[derive(Debug, Default)]
pub(super) struct Content {
    pub(super) authors: Vec<AuthorDraft>,
    pub(super) categories: Vec<CategoryDraft>,
    pub(super) goals: Vec<(GoalDraft, GoalPictures)>,
    pub(super) collections: Vec<CollectionDraft>,
    pub(super) books: Vec<SeedBook>,
    pub(super) idea_links: Vec<SeedIdeaLink>,
    pub(super) editorial: EditorialContent,
    /// Empty if there is no `quizzes.toml`.
    pub(super) quizzes: Vec<Quiz>,
    /// The contents of `site/<name>.json`, by name: parts of the site's frame, such as the `banner`.
    pub(super) frame: Vec<(String, serde_json::Value)>,
    /// The keys of all object store files that entries name.
    pub(super) keys: BTreeSet<String>,
}

/// A book with its cover and other files.
#[derive(Debug)]
pub(super) struct SeedBook {
    pub(super) draft: BookDraft,
    /// File extension and content of the cover, if there is one.
    pub(super) cover: Option<(&'static str, Cow<'static, [u8]>)>,
    /// Whether a short film is made of its key ideas.
    pub(super) film: bool,
    /// The illustrated key ideas that are yet to be drawn; empty if there is no `visuals.toml`, or if they have pictures.
    pub(super) ideas: Vec<DrawnIdea>,
    /// The key ideas with the keys of their pictures, once these are in the object store.
    pub(super) visuals: Option<VisualsDraft>,
    pub(super) extras: BookExtras,
    /// Its narration and film, if the product has made them.
    pub(super) recorded: Recorded,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VisualsFile {
    /// Keys of the pictures that show all ideas; `None` for ideas that are yet to be drawn.
    pub(super) image: Option<String>,
    pub(super) infographic: Option<String>,
    pub(super) infographic_thumb: Option<String>,
    pub(super) idea: Vec<IdeaEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IdeaEntry {
    pub(super) title: String,
    pub(super) body: String,
    /// The key of its picture; empty for no picture; `None` to draw it from `picture`.
    pub(super) image: Option<String>,
    pub(super) ground: Option<Ground>,
    pub(super) picture: Option<Motif>,
}

const COLLECTIONS: &str = "collections.toml";
const COVERS: [&str; 5] = ["svg", "jpg", "jpeg", "png", "webp"];

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CategoriesFile {
    pub(super) category: Vec<CategoryEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CategoryEntry {
    pub(super) subid: String,
    pub(super) name: String,
    pub(super) hue: u16,
    pub(super) image: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GoalsFile {
    pub(super) goal: Vec<GoalEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GoalEntry {
    pub(super) slug: String,
    pub(super) title: String,
    pub(super) short_title: String,
    pub(super) mobile_title: String,
    pub(super) description: String,
    /// Object store keys.
    pub(super) photo: Option<String>,
    pub(super) feature_photo: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CollectionsFile {
    pub(super) collection: Vec<CollectionEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CollectionEntry {
    pub(super) title: String,
    pub(super) subtitle: String,
    pub(super) upload_date: String,
    pub(super) categories: Vec<String>,
    /// Slugs of the books that an editor chose, in their order.
    #[serde(default)]
    pub(super) books: Vec<String>,
    pub(super) image: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AuthorFile {
    pub(super) name: String,
    pub(super) sort_name: Option<String>,
    pub(super) description: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BookFile {
    pub(super) title: String,
    pub(super) author: String,
    pub(super) year: Option<i32>,
    pub(super) description: String,
    pub(super) categories: Vec<String>,
    #[serde(default)]
    pub(super) goals: Vec<String>,
    #[serde(default)]
    pub(super) tags: Vec<String>,
    #[serde(default)]
    pub(super) free: bool,
    #[serde(default)]
    pub(super) popular: bool,
    #[serde(default)]
    pub(super) coming_soon: bool,
    #[serde(default = "yes")]
    pub(super) published: bool,
    pub(super) upload_date: String,
    /// Whether a short film is made of its key ideas.
    #[serde(default)]
    pub(super) video: bool,
    /// Object store keys, from here to `podcast`. `audio` and `film` are a person's recordings.
    pub(super) image: Option<String>,
    pub(super) vector: Option<String>,
    pub(super) infographic: Option<String>,
    pub(super) audio: Option<String>,
    pub(super) film: Option<String>,
    pub(super) podcast: Option<String>,
    /// When the book is published: a date or a time, in UTC.
    pub(super) publish_at: Option<String>,
    #[serde(default)]
    pub(super) quotes: Vec<QuoteEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QuoteEntry {
    pub(super) text: String,
    pub(super) chapter: String,
}

pub(super) const QUIZZES: &str = "quizzes.toml";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QuizzesFile {
    pub(super) question: Vec<QuestionEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QuestionEntry {
    /// The dimension that a "True" answer counts toward.
    pub(super) dimension: String,
    pub(super) statement: String,
}

const fn yes() -> bool {
    true
}

impl Content {
    /// Reads and checks all content.
    ///
    /// # Errors
    /// One text that lists all problems, one per line: file, field and problem.
    pub(super) fn read(files: &Files) -> anyhow::Result<Self> {
        let mut reader = Reader::new(files);
        let content = reader.content()?;
        reader.check()?;
        Ok(content)
    }
}

impl Reader<'_> {
    fn content(&mut self) -> anyhow::Result<Content> {
        let mut content = Content::default();
        if let Some(file) = self.toml::<CategoriesFile>("categories.toml")? {
            for (entry, place) in file.category.into_iter().zip(0..) {
                if let Some(subid) = self.slug("categories.toml", "subid", &entry.subid) {
                    let small_image = self.picture("categories.toml", "image", entry.image);
                    let (name, hue) = (entry.name, entry.hue);
                    content.categories.push(CategoryDraft { subid, name, hue, small_image, place });
                }
            }
        }
        if let Some(file) = self.toml::<GoalsFile>("goals.toml")? {
            for (entry, place) in file.goal.into_iter().zip(0..) {
                if let Some(slug) = self.slug("goals.toml", "slug", &entry.slug) {
                    let photo = self.key("goals.toml", "photo", entry.photo);
                    let feature_photo = self.key("goals.toml", "feature_photo", entry.feature_photo);
                    let draft = GoalDraft {
                        slug,
                        title: entry.title,
                        short_title: entry.short_title,
                        mobile_title: entry.mobile_title,
                        description: entry.description,
                        place,
                    };
                    content.goals.push((draft, GoalPictures { photo, feature_photo }));
                }
            }
        }
        for entry in self.toml::<CollectionsFile>(COLLECTIONS)?.map(|file| file.collection).unwrap_or_default() {
            let categories = self.slugs(COLLECTIONS, "categories", &entry.categories);
            let books = self.slugs(COLLECTIONS, "books", &entry.books);
            if let Some(upload_date) = self.date(COLLECTIONS, "upload_date", &entry.upload_date) {
                let image = self.picture(COLLECTIONS, "image", entry.image);
                let (title, subtitle) = (entry.title, entry.subtitle);
                content.collections.push(CollectionDraft { title, subtitle, image, upload_date, categories, books });
            }
        }
        for name in self.files.names_in("authors")? {
            let path = format!("authors/{name}");
            let Some(stem) = name.strip_suffix(".toml") else {
                self.problem(&path, "name", "an author's file is named <slug>.toml");
                continue;
            };
            let slug = self.slug(&path, "name", stem);
            if let (Some(slug), Some(file)) = (slug, self.toml::<AuthorFile>(&path)?) {
                content.authors.push(AuthorDraft {
                    slug,
                    name: file.name,
                    sort_name: file.sort_name,
                    description: file.description,
                });
            }
        }
        for name in self.files.names_in("books")? {
            if let Some(book) = self.book(&name)? {
                content.books.push(book);
            }
        }
        content.idea_links = self.idea_links()?;
        content.editorial = self.editorial()?;
        content.quizzes = self.quizzes()?;
        content.frame = self.frame()?;
        content.keys = std::mem::take(&mut self.keys);
        self.check_names(&content);
        Ok(content)
    }

    fn book(&mut self, name: &str) -> anyhow::Result<Option<SeedBook>> {
        let path = format!("books/{name}/book.toml");
        let subid = self.slug(&format!("books/{name}"), "name", name);
        let Some(file) = self.toml::<BookFile>(&path)? else {
            if self.files.bytes(&path)?.is_none() {
                self.problem(&path, "file", "it is missing");
            }
            return Ok(None);
        };
        let to_watch = file.video;
        let body_path = format!("books/{name}/body.html");
        let body = self.files.text(&body_path)?;
        self.text_pictures(&body_path, body.as_deref().unwrap_or_default());
        if body.is_none() && !file.coming_soon {
            self.problem(&body_path, "file", "it is missing");
        }
        let author = self.slug(&path, "author", &file.author);
        let categories = self.slugs(&path, "categories", &file.categories);
        let goals = self.slugs(&path, "goals", &file.goals);
        let upload_date = self.date(&path, "upload_date", &file.upload_date);
        let image = self.picture(&path, "image", file.image);
        let (media, video) = (self.key(&path, "audio", file.audio), self.key(&path, "film", file.film));
        let extras = BookExtras {
            vector: self.key(&path, "vector", file.vector),
            infographic: self.uploaded_infographic(&path, file.infographic),
            podcast: self.key(&path, "podcast", file.podcast),
            publish_at: file.publish_at.and_then(|at| self.date(&path, "publish_at", &at)),
        };
        let recorded = self.recorded(name)?;
        let mut cover = None;
        for ending in COVERS {
            if image.is_some() {
                break;
            }
            if let Some(bytes) = self.files.bytes(&format!("books/{name}/cover.{ending}"))? {
                cover = Some((ending, bytes));
                break;
            }
        }
        let (ideas, visuals) = self.ideas(name)?;
        let (Some(subid), Some(author), Some(upload_date)) = (subid, author, upload_date) else { return Ok(None) };
        let draft = BookDraft {
            subid,
            title: file.title,
            author,
            description: file.description,
            body: body.unwrap_or_default(),
            quotes: file.quotes.into_iter().map(|quote| Quote { text: quote.text, chapter: quote.chapter }).collect(),
            image,
            media,
            video,
            year: file.year,
            categories,
            goals,
            tags: file.tags,
            free: file.free,
            is_popular: file.popular,
            coming_soon: file.coming_soon,
            published: file.published,
            upload_date,
        };
        Ok(Some(SeedBook { draft, cover, film: to_watch, ideas, visuals, extras, recorded }))
    }

    /// Checks the keys of an uploaded infographic and of its thumbnail.
    fn uploaded_infographic(&mut self, path: &str, key: Option<String>) -> Option<String> {
        let key = self.key(path, "infographic", key)?;
        self.key(path, "infographic", Some(thumb_of_infographic(&key)));
        Some(key)
    }

    /// A book's illustrated key ideas: those to be drawn, or those that have pictures already. Both are empty without a
    /// `visuals.toml`.
    fn ideas(&mut self, name: &str) -> anyhow::Result<(Vec<DrawnIdea>, Option<VisualsDraft>)> {
        let path = format!("books/{name}/visuals.toml");
        let Some(file) = self.toml::<VisualsFile>(&path)? else { return Ok((Vec::new(), None)) };
        if file.idea.is_empty() {
            self.problem(&path, "idea", "there is none");
        }
        if file.idea.iter().any(|idea| idea.image.is_some()) {
            return Ok((Vec::new(), Some(self.pictured(&path, file))));
        }
        let mut ideas = Vec::new();
        for (place, idea) in file.idea.into_iter().enumerate() {
            let IdeaEntry { title, body, picture, ground, .. } = idea;
            let Some(motif) = picture else {
                self.problem(&path, "picture", format!("'{title}' has none"));
                continue;
            };
            ideas.push(DrawnIdea { title, body, motif, ground: ground.unwrap_or_else(|| Ground::at(place)) });
        }
        Ok((ideas, None))
    }

    /// Key ideas that have pictures already, as exported ones do.
    fn pictured(&mut self, path: &str, file: VisualsFile) -> VisualsDraft {
        let mut ideas = Vec::new();
        for (place, idea) in file.idea.into_iter().enumerate() {
            let IdeaEntry { title, body, image, picture, ground } = idea;
            if image.is_none() {
                self.problem(path, "image", format!("'{title}' has none, and others have"));
            }
            let image = self.picture(path, "image", image).filter(|key| !key.is_empty());
            let ground = ground.unwrap_or_else(|| Ground::at(place));
            let drawing = picture.and_then(|motif| write_drawing(&motif, ground));
            ideas.push(VisualDraft { title, body, image, drawing });
        }
        if file.image.is_none() {
            self.problem(path, "image", "`image` belongs to ideas with an `image`");
        }
        let image = self.picture(path, "image", file.image).filter(|key| !key.is_empty());
        let infographic = self.key(path, "infographic", file.infographic);
        let infographic_thumb = self.key(path, "infographic_thumb", file.infographic_thumb);
        VisualsDraft { ideas, image, infographic, infographic_thumb }
    }

    fn quizzes(&mut self) -> anyhow::Result<Vec<Quiz>> {
        let Some(file) = self.toml::<QuizzesFile>(QUIZZES)? else { return Ok(Vec::new()) };
        let mut quizzes = [(QuizKind::Intelligence, Vec::new()), (QuizKind::Personality, Vec::new())];
        for QuestionEntry { dimension, statement } in file.question {
            let Ok(of) = dimension.parse::<Dimension>() else {
                self.problem(QUIZZES, "dimension", format!("'{dimension}' is none"));
                continue;
            };
            if statement.trim().is_empty() {
                self.problem(QUIZZES, "statement", "it is empty");
            }
            for (kind, questions) in &mut quizzes {
                if *kind == of.kind() {
                    questions.push((of, statement.clone()));
                }
            }
        }
        Ok(quizzes.into_iter().filter(|(_, questions)| !questions.is_empty()).collect())
    }

    /// Reads `site/<name>.json`, the parts of the site's frame, such as the `banner`.
    fn frame(&mut self) -> anyhow::Result<Vec<(String, serde_json::Value)>> {
        let mut frame = Vec::new();
        for file in self.files.names_in("site")? {
            let path = format!("site/{file}");
            let (Some(name), Some(text)) = (file.strip_suffix(".json"), self.files.text(&path)?) else {
                self.problem(&path, "name", "a part of the site's frame is named <name>.json");
                continue;
            };
            match serde_json::from_str(&text) {
                Ok(value) => frame.push((name.to_owned(), value)),
                Err(error) => self.problem(&path, "file", error),
            }
        }
        Ok(frame)
    }

    /// Reports references to authors, categories, goals and books that don't exist.
    fn check_names(&mut self, content: &Content) {
        let authors: BTreeSet<&Slug> = content.authors.iter().map(|author| &author.slug).collect();
        let categories: BTreeSet<&Slug> = content.categories.iter().map(|category| &category.subid).collect();
        let goals: BTreeSet<&Slug> = content.goals.iter().map(|(goal, _)| &goal.slug).collect();
        let books: BTreeSet<&Slug> = content.books.iter().map(|book| &book.draft.subid).collect();
        for collection in &content.collections {
            for book in collection.books.iter().filter(|book| !books.contains(book)) {
                let title = &collection.title;
                self.problem(COLLECTIONS, "books", format!("there is no books/{book} of '{title}'"));
            }
            for category in collection.categories.iter().filter(|category| !categories.contains(category)) {
                let title = &collection.title;
                self.problem(COLLECTIONS, "categories", format!("'{category}' of '{title}' is not in categories.toml"));
            }
        }
        for book in &content.books {
            let draft = &book.draft;
            let path = format!("books/{}/book.toml", draft.subid);
            if !authors.contains(&draft.author) {
                self.problem(&path, "author", format!("there is no authors/{}.toml", draft.author));
            }
            for category in draft.categories.iter().filter(|category| !categories.contains(category)) {
                self.problem(&path, "categories", format!("'{category}' is not in categories.toml"));
            }
            for goal in draft.goals.iter().filter(|goal| !goals.contains(goal)) {
                self.problem(&path, "goals", format!("'{goal}' is not in goals.toml"));
            }
        }
        for (book, idea) in content.idea_links.iter().flat_map(|link| &link.ends) {
            if !books.contains(book) {
                self.problem(IDEA_LINKS, "book", format!("there is no books/{book}, which has '{idea}'"));
            }
        }
        for (path, book) in content.editorial.books_named().filter(|(_, book)| !books.contains(book)) {
            self.problem(&path, "book", format!("there is no books/{book}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, fs, mem::discriminant};

    use super::{Content, Files};

    #[test]
    fn the_demo_content_is_right() {
        let content = Content::read(&Files::Demo).expect("the demo content can be loaded");
        assert!(content.books.len() >= 10 && content.authors.len() >= 10, "there is something to read");
        assert!(content.books.iter().any(|book| book.draft.free), "the front page needs a free book");
        for book in &content.books {
            assert!((7..=8).contains(&book.ideas.len()), "{} has {} key ideas", book.draft.subid, book.ideas.len());
            let motifs: HashSet<_> = book.ideas.iter().map(|idea| discriminant(&idea.motif)).collect();
            assert_eq!(motifs.len(), book.ideas.len(), "{} shows the same thing twice", book.draft.subid);
            let words = catalogue::Body::from_html(&book.draft.body).words();
            let wanted = if book.draft.coming_soon { 0..=0 } else { 1_200..=2_600 };
            assert!(wanted.contains(&words), "{} has {words} words", book.draft.subid);
            for idea in &book.ideas {
                let words = idea.body.split_whitespace().count();
                assert!((35..=60).contains(&words), "{}, {}: {words} words", book.draft.subid, idea.title);
            }
        }
    }

    #[test]
    fn the_links_of_the_demo_name_ideas_that_are_there() {
        let content = Content::read(&Files::Demo).expect("the demo content can be loaded");
        assert!(content.idea_links.len() >= 60, "{} links", content.idea_links.len());
        for (subid, idea) in content.idea_links.iter().flat_map(|link| &link.ends) {
            let book = content.books.iter().find(|book| book.draft.subid == *subid).expect("the book is there");
            let body = catalogue::Body::from_html(&book.draft.body);
            assert!(body.sections.iter().any(|section| section.title == *idea), "{subid}: {idea}");
        }
    }

    #[test]
    fn everything_that_is_wrong_is_named_by_file_and_field() {
        let home = tempfile::tempdir().expect("a folder");
        let write = |path: &str, text: &str| {
            let path = home.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        write("categories.toml", "[[category]]\nsubid = \"Nature!\"\nname = \"Nature\"\nhue = 1\n");
        write("authors/someone.toml", "name = \"Some One\"\nbio = \"x\"\n");
        write(
            "books/owls/book.toml",
            "title = \"Owls\"\nauthor = \"nobody\"\ndescription = \"x\"\ncategories = [\"birds\"]\ngoals = [\"fly\"]\n\
             upload_date = \"tomorrow\"\n",
        );
        write(
            "collections.toml",
            "[[collection]]\ntitle = \"Wings\"\nsubtitle = \"x\"\nupload_date = \"2026-01-02\"\ncategories = [\"birds\"]\n",
        );
        write("books/empty/body.html", "<p>x</p>");
        write(
            "books/larks/book.toml",
            "title = \"Larks\"\nauthor = \"nobody\"\ndescription = \"x\"\ncategories = [\"birds\"]\nupload_date = \"2026-01-02\"\n",
        );
        write(
            "books/larks/visuals.toml",
            "[[idea]]\ntitle = \"One\"\npicture = { motif = \"hours\", feathers = 1 }\nbody = \"x\"\n",
        );
        let files = Files::new(Some(home.path())).expect("the folder is there");
        let error = Content::read(&files).expect_err("the content is wrong").to_string();
        for part in [
            "categories.toml: subid: 'Nature!'",
            "authors/someone.toml: line 2: unknown field `bio`",
            "books/owls/book.toml: upload_date: 'tomorrow' is not a date",
            "books/owls/body.html: file: it is missing",
            "books/empty/book.toml: file: it is missing",
            "books/larks/book.toml: author: there is no authors/nobody.toml",
            "collections.toml: categories: 'birds' of 'Wings' is not in categories.toml",
            "books/larks/book.toml: categories: 'birds' is not in categories.toml",
            "books/larks/visuals.toml: line 3: unknown field `feathers`",
        ] {
            assert!(error.contains(part), "{part} in {error}");
        }
        assert!(Files::new(Some(&home.path().join("nowhere"))).is_err());
    }
}
