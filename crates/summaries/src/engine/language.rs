//! The language of a text, with its function words and its stemmer.

use std::collections::HashSet;
use std::fmt;

use rust_stemmers::{Algorithm, Stemmer};
use whatlang::Lang;

/// The size of the sample for language detection, in bytes: parts of a text's beginning, middle and end.
const SAMPLE: usize = 6_000;
/// The fewest letters of a text whose language can be detected.
const MIN_LETTERS: usize = 12;

/// A natural language.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Language(Lang);

impl Language {
    /// The ISO 639-3 code, for example `eng`.
    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// The English name.
    pub fn english_name(self) -> &'static str {
        self.0.eng_name()
    }

    /// The language's name in the language itself.
    pub fn own_name(self) -> &'static str {
        self.0.name()
    }

    /// The ISO 639-1 code; `None` for a language without a list of function words.
    const fn two_letters(self) -> Option<&'static str> {
        Some(match self.0 {
            Lang::Ara => "ar",
            Lang::Ben => "bn",
            Lang::Bul => "bg",
            Lang::Cat => "ca",
            Lang::Ces => "cs",
            Lang::Cmn => "zh",
            Lang::Dan => "da",
            Lang::Deu => "de",
            Lang::Ell => "el",
            Lang::Eng => "en",
            Lang::Est => "et",
            Lang::Fin => "fi",
            Lang::Fra => "fr",
            Lang::Heb => "he",
            Lang::Hin => "hi",
            Lang::Hrv => "hr",
            Lang::Hun => "hu",
            Lang::Ind => "id",
            Lang::Ita => "it",
            Lang::Jpn => "ja",
            Lang::Kor => "ko",
            Lang::Lat => "la",
            Lang::Lav => "lv",
            Lang::Lit => "lt",
            Lang::Mar => "mr",
            Lang::Nld => "nl",
            Lang::Nob => "no",
            Lang::Pes => "fa",
            Lang::Pol => "pl",
            Lang::Por => "pt",
            Lang::Ron => "ro",
            Lang::Rus => "ru",
            Lang::Slk => "sk",
            Lang::Slv => "sl",
            Lang::Spa => "es",
            Lang::Swe => "sv",
            Lang::Tha => "th",
            Lang::Tur => "tr",
            Lang::Ukr => "uk",
            Lang::Urd => "ur",
            Lang::Vie => "vi",
            _ => return None,
        })
    }

    const fn stemming(self) -> Option<Algorithm> {
        Some(match self.0 {
            Lang::Ara => Algorithm::Arabic,
            Lang::Dan => Algorithm::Danish,
            Lang::Deu => Algorithm::German,
            Lang::Ell => Algorithm::Greek,
            Lang::Eng => Algorithm::English,
            Lang::Fin => Algorithm::Finnish,
            Lang::Fra => Algorithm::French,
            Lang::Hun => Algorithm::Hungarian,
            Lang::Ita => Algorithm::Italian,
            Lang::Nld => Algorithm::Dutch,
            Lang::Nob => Algorithm::Norwegian,
            Lang::Por => Algorithm::Portuguese,
            Lang::Ron => Algorithm::Romanian,
            Lang::Rus => Algorithm::Russian,
            Lang::Spa => Algorithm::Spanish,
            Lang::Swe => Algorithm::Swedish,
            Lang::Tam => Algorithm::Tamil,
            Lang::Tur => Algorithm::Turkish,
            _ => return None,
        })
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// Detects the language of a text; `None` when the text is too short or the result is uncertain.
pub fn detect_language(text: &str) -> Option<Language> {
    detect(text).filter(whatlang::Info::is_reliable).map(|info| Language(info.lang()))
}

/// The most likely language of a text, even if it is uncertain: a likely list of function words is better than none.
pub(crate) fn guess_language(text: &str) -> Option<Language> {
    detect(text).map(|info| Language(info.lang()))
}

fn detect(text: &str) -> Option<whatlang::Info> {
    let sample = sample_of(text);
    if sample.chars().filter(|character| character.is_alphabetic()).count() < MIN_LETTERS {
        return None;
    }
    whatlang::detect(&sample)
}

fn sample_of(text: &str) -> String {
    let part = SAMPLE / 3;
    if text.len() <= SAMPLE {
        return text.to_owned();
    }
    [0, (text.len() - part) / 2, text.len() - part]
        .into_iter()
        .map(|start| &text[text.ceil_char_boundary(start)..text.floor_char_boundary(start + part)])
        .collect::<Vec<_>>()
        .join(" ")
}

/// The function words and the stemmer of a language.
pub(crate) struct Vocabulary {
    function_words: HashSet<&'static str>,
    stemmer: Option<Stemmer>,
}

impl Vocabulary {
    /// The vocabulary of a language; for an unknown one it has no function words and no stemmer.
    pub(crate) fn of(language: Option<Language>) -> Self {
        let function_words = language.and_then(Language::two_letters).and_then(stop_words::lookup);
        Self {
            function_words: function_words.into_iter().flatten().copied().collect(),
            stemmer: language.and_then(Language::stemming).map(Stemmer::create),
        }
    }

    /// Whether a lower-case word is a function word, such as an article or a preposition.
    pub(crate) fn is_function_word(&self, word: &str) -> bool {
        self.function_words.contains(word)
            || word.contains('\u{2019}') && self.function_words.contains(word.replace('\u{2019}', "'").as_str())
    }

    /// The stem of a lower-case word, without the English possessive `'s`.
    pub(crate) fn stem<'a>(&self, word: &'a str) -> std::borrow::Cow<'a, str> {
        let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("\u{2019}s")).unwrap_or(word);
        self.stemmer.as_ref().map_or_else(|| word.into(), |stemmer| stemmer.stem(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_recognised() {
        for (text, code) in [
            ("The liberty of the press is the best guard against a corrupt government, as everyone agrees.", "eng"),
            (
                "La libertad de imprenta es la mejor garantía contra un gobierno corrupto, y así lo creemos todos.",
                "spa",
            ),
            (
                "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. Все смешалось в доме Облонских. Жена узнала, что муж был в связи с бывшею в их доме француженкою-гувернанткой, и объявила мужу, что не может жить с ним в одном доме.",
                "rus",
            ),
            ("言論の自由は腐敗した政府に対する最良の守りであると多くの人が考えている。", "jpn"),
            ("حرية الصحافة هي أفضل ضمان ضد الحكومة الفاسدة كما يعتقد الجميع", "ara"),
        ] {
            assert_eq!(detect_language(&text.repeat(4)).map(Language::code), Some(code), "{text}");
            assert_eq!(guess_language(text).map(Language::code), Some(code), "{text}");
        }
    }

    #[test]
    fn tiny_texts_have_no_language() {
        for text in ["", "   ", "Hm.", "12 + 30 = 42", "🙂🙂🙂"] {
            assert_eq!(detect_language(text), None, "{text}");
        }
    }

    #[test]
    fn the_sample_of_a_long_text_is_cut_between_characters() {
        let text = "é".repeat(10_001);
        assert!(sample_of(&text).len() <= SAMPLE + 2);
    }

    #[test]
    fn function_words_and_stems_are_those_of_the_language() {
        let english = detect_language("The liberty of the press is the best guard against a corrupt government.");
        let vocabulary = Vocabulary::of(english);
        assert!(vocabulary.is_function_word("which") && vocabulary.is_function_word("don\u{2019}t"));
        assert!(!vocabulary.is_function_word("liberty"));
        assert_eq!(vocabulary.stem("governments\u{2019}s"), vocabulary.stem("government"));
        assert_eq!(Vocabulary::of(None).stem("governments"), "governments");
    }
}
