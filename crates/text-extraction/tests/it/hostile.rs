//! Broken, mislabeled, protected and malicious files. Files that only a separate process survives are tested in `processes`.

use proptest::prelude::*;
use text_extraction::{DocumentKind, ExtractionError, ForeignKind, Limits, extract};

use crate::files::{archive, container, docx, docx_of_xml, epub, package, pdf, pdf_objects, pdf_of};

type Outcome = Result<&'static str, ExtractionError>;

fn foreign(kind: ForeignKind) -> Outcome {
    Err(ExtractionError::Foreign(kind))
}

const fn damaged(kind: DocumentKind) -> Outcome {
    Err(ExtractionError::Damaged(kind))
}

/// Checks that each file gives the expected text or error.
#[track_caller]
fn check(cases: Vec<(&str, Vec<u8>, Outcome)>) {
    check_within(&Limits::default(), cases);
}

#[track_caller]
fn check_within(limits: &Limits, cases: Vec<(&str, Vec<u8>, Outcome)>) {
    for (name, bytes, expected) in cases {
        let outcome = extract(&bytes, None, limits).map(|document| document.text);
        match (&outcome, expected) {
            (Ok(text), Ok(part)) => assert!(text.contains(part), "{name}: {text:.200}"),
            (Err(error), Err(wanted)) => assert_eq!(*error, wanted, "{name}"),
            _ => panic!("{name}: {outcome:.200?}, expected {expected:?}"),
        }
    }
}

fn padded(head: &[u8]) -> Vec<u8> {
    let mut bytes = head.to_vec();
    bytes.resize(400, 0);
    bytes
}

#[test]
fn files_of_other_kinds_are_named() {
    use ForeignKind::{Archive, OtherWordProcessor, Picture, Program, Recording, Sheet, Unknown};
    let compound = padded(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
    let mut protected = compound.clone();
    protected.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    let opendocument = |kind: &str| {
        archive([
            ("mimetype", format!("application/vnd.oasis.opendocument.{kind}")),
            ("content.xml", "<x/>".to_owned()),
        ])
    };
    check(vec![
        ("png", padded(b"\x89PNG\r\n\x1a\n"), foreign(Picture)),
        ("jpeg", padded(b"\xff\xd8\xff\xe0"), foreign(Picture)),
        ("gif", padded(b"GIF89a"), foreign(Picture)),
        ("webp", padded(b"RIFF\x10\0\0\0WEBPVP8 "), foreign(Picture)),
        ("wav", padded(b"RIFF\x10\0\0\0WAVEfmt "), foreign(Recording)),
        ("mp3", padded(b"ID3\x04"), foreign(Recording)),
        ("mp4", padded(b"\0\0\0\x18ftypmp42"), foreign(Recording)),
        ("matroska", padded(b"\x1aE\xdf\xa3"), foreign(Recording)),
        ("elf", padded(b"\x7fELF\x02"), foreign(Program)),
        ("exe", padded(b"MZ\x90\0"), foreign(Program)),
        ("gzip", padded(b"\x1f\x8b\x08"), foreign(Archive)),
        ("rar", padded(b"Rar!\x1a\x07"), foreign(Archive)),
        ("7z", padded(b"7z\xbc\xaf\x27\x1c"), foreign(Archive)),
        ("rtf", b"{\\rtf1 Hello.}".to_vec(), foreign(OtherWordProcessor)),
        ("old word", compound, foreign(OtherWordProcessor)),
        ("docx with a password", protected, Err(ExtractionError::Protected)),
        ("odt", opendocument("text"), foreign(OtherWordProcessor)),
        ("ods", opendocument("spreadsheet"), foreign(Sheet)),
        ("xlsx", archive([("xl/workbook.xml", "<x/>")]), foreign(Sheet)),
        ("pptx", archive([("ppt/presentation.xml", "<x/>")]), foreign(Sheet)),
        ("folder", archive([("a.txt", "Hello.")]), foreign(Archive)),
        ("folder of folders", archive([("a.zip", archive([("b.zip", archive([("c", "d")]))]))]), foreign(Archive)),
        ("empty folder", archive::<&str, &str>([]), foreign(Archive)),
        (
            "noise",
            (0..4_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect(),
            foreign(Unknown),
        ),
        ("text with zeros", b"Some text\0with zeros in it.".to_vec(), foreign(Unknown)),
    ]);
}

#[test]
fn files_without_text_say_so() {
    check(vec![
        ("nothing", Vec::new(), Err(ExtractionError::Empty)),
        ("whitespace", b" \n\t\r\n ".to_vec(), Err(ExtractionError::NoText)),
        ("byte order mark alone", b"\xef\xbb\xbf".to_vec(), Err(ExtractionError::NoText)),
        ("dashes", b"--- *** ---".to_vec(), Err(ExtractionError::NoText)),
        ("page of scripts", b"<html><script>var text = 'no';</script></html>".to_vec(), Err(ExtractionError::NoText)),
        ("page that never closes its script", b"<html><p><script>for (;;) {".to_vec(), Err(ExtractionError::NoText)),
        (
            "book without words",
            archive([
                container("o"),
                ("o".to_owned(), package(&[("a", "a")], &["a"]).1),
                ("a".to_owned(), "<p/>".to_owned()),
            ]),
            Err(ExtractionError::NoText),
        ),
        ("word document without words", docx("<w:p/>"), Err(ExtractionError::NoText)),
    ]);
}

#[test]
fn mislabelled_files_are_read_for_what_they_are() {
    let utf16: Vec<u8> = "<html><p>Zwölf.".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (japanese, ..) = encoding_of("shift_jis", "これは日本語の文章です。文字コードを判定します。");
    check(vec![
        ("page that says it is UTF-16 and is not", b"<meta charset=utf-16><p>Words.".to_vec(), Ok("Words.")),
        ("page in UTF-16 without a mark", utf16, Ok("Zwölf.")),
        ("text in Shift_JIS", japanese, Ok("日本語")),
        ("text with broken UTF-8", b"Half a character: \xc3 and more words here.".to_vec(), Ok("Half a character")),
        (
            "PDF after a line of junk",
            [b"junk\n".to_vec(), pdf(&["A page that says so."])].concat(),
            Ok("A page that says so."),
        ),
        (
            "page that speaks of PDF",
            b"<html><p>A file begins with %PDF-1.4, always.</p>".to_vec(),
            Ok("begins with %PDF-1.4"),
        ),
        ("text that begins like a tag", b"<3 is a heart.".to_vec(), Ok("is a heart")),
        ("page that is cut off", b"<!doctype html><body><p>One.<p>Two <a href='".to_vec(), Ok("One.")),
        ("text with controls", b"Red \x1b[31malert\x1b[0m in a terminal, and words.".to_vec(), Ok("alert")),
        ("text that turns its direction", "abc \u{202e}fed cba".as_bytes().to_vec(), Ok("abc fed cba")),
    ]);
}

fn encoding_of(label: &str, text: &str) -> (Vec<u8>, bool) {
    let (bytes, _, failed) = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text);
    (bytes.into_owned(), failed)
}

#[test]
fn damaged_archives_are_refused() {
    use DocumentKind::{Docx, Epub};
    let book = epub(Vec::new());
    let report = docx("<w:p><w:r><w:t>Words.</w:t></w:r></w:p>");
    let mut wrong_sum = report.clone();
    // A byte of the main part's compressed data.
    let at = find(&wrong_sum, b"word/document.xml") + 17 + 20;
    wrong_sum[at] ^= 0xff;
    check(vec![
        ("half a book", book[..book.len() / 2].to_vec(), damaged(Epub)),
        ("half a word document", report[..report.len() / 2].to_vec(), damaged(Docx)),
        ("four bytes", b"PK\x03\x04".to_vec(), damaged(Docx)),
        ("changed bytes", wrong_sum, damaged(Docx)),
        ("book whose package is missing", archive([container("nowhere.opf")]), damaged(Epub)),
        ("book whose package is its container", archive([container("META-INF/container.xml")]), damaged(Epub)),
        ("book without a container's words", archive([("META-INF/container.xml", "")]), damaged(Epub)),
        (
            "book with an empty spine",
            archive([container("OEBPS/content.opf"), package(&[("a", "a.xhtml")], &[])]),
            damaged(Epub),
        ),
        (
            "book with a spine to nowhere",
            archive([container("OEBPS/content.opf"), package(&[("a", "a.xhtml")], &["z"])]),
            damaged(Epub),
        ),
        ("word document that is cut off within", docx_of_xml("<w:document><w:body><w:p>"), damaged(Docx)),
        ("word document of crossed tags", docx_of_xml("<w:document><w:p></w:document></w:p>"), damaged(Docx)),
    ]);
}

#[test]
fn protected_files_are_refused() {
    let encryption = |method: &str| {
        let text =
            format!("<encryption><EncryptedData><EncryptionMethod Algorithm='{method}'/></EncryptedData></encryption>");
        ("META-INF/encryption.xml".to_owned(), text)
    };
    let mut encrypted = docx("<w:p><w:r><w:t>Words.</w:t></w:r></w:p>");
    set_encrypted_flags(&mut encrypted);
    let mut objects = pdf_objects(&["BT /F1 12 Tf 72 720 Td (Secret words.) Tj ET".to_owned()]);
    objects.push(format!("<< /Filter /Standard /V 1 /R 2 /P -4 /O <{0}> /U <{0}> >>", "5a".repeat(32)));
    let trailer = format!("/Encrypt {} 0 R /ID [<{1}> <{1}>]", objects.len(), "11".repeat(16));
    check(vec![
        (
            "book with copy protection",
            epub(vec![encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc")]),
            Err(ExtractionError::Protected),
        ),
        (
            "book with rights",
            epub(vec![("META-INF/rights.xml".to_owned(), "<rights/>".to_owned())]),
            Err(ExtractionError::Protected),
        ),
        (
            "book with protected fonts only",
            epub(vec![encryption("http://www.idpf.org/2008/embedding")]),
            Ok("The first chapter."),
        ),
        ("word document with encrypted parts", encrypted, Err(ExtractionError::Protected)),
        ("pdf with a password", pdf_of(&objects, &trailer), Err(ExtractionError::Protected)),
    ]);
}

/// Sets bit 0 (encrypted) of the flags of every entry, in both the local headers and the central directory.
fn set_encrypted_flags(bytes: &mut [u8]) {
    for at in 0..bytes.len() - 12 {
        if bytes[at..].starts_with(b"PK\x03\x04") {
            bytes[at + 6] |= 1;
        } else if bytes[at..].starts_with(b"PK\x01\x02") {
            bytes[at + 8] |= 1;
        }
    }
}

fn find(bytes: &[u8], part: &[u8]) -> usize {
    bytes.windows(part.len()).position(|window| window == part).unwrap()
}

#[test]
fn bombs_are_given_up() {
    let limits = Limits { unpacked: 2 * 1024 * 1024, ..Limits::default() };
    let too_large = || Err(ExtractionError::UnpacksTooLarge { limit: limits.unpacked });
    let spaces = " ".repeat(3 * 1024 * 1024);
    let chapter = " ".repeat(400_000);
    let names: Vec<String> = (0..20).map(|number| format!("c{number}")).collect();
    let chapters: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), name.as_str())).collect();
    let order: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut book = vec![container("OEBPS/content.opf"), package(&chapters, &order)];
    book.extend(names.iter().map(|name| (format!("OEBPS/{name}"), chapter.clone())));
    let mut lies = docx(&spaces);
    // Neither the local headers nor the central directory are trusted about sizes.
    let sizes: Vec<usize> = (0..lies.len() - 4).filter(|at| lies[*at..].starts_with(b"PK\x01\x02")).collect();
    for at in sizes {
        lies[at + 24..at + 28].copy_from_slice(&10_u32.to_le_bytes());
    }
    check_within(
        &limits,
        vec![
            ("word document that unpacks a thousandfold", docx(&spaces), too_large()),
            ("word document that lies about its size", lies, too_large()),
            ("book of many chapters that unpack", archive(book), too_large()),
        ],
    );
    let many = archive((0..10_001).map(|number| (number.to_string(), "")));
    check(vec![("archive of ten thousand parts", many, Err(ExtractionError::TooManyParts { limit: 10_000 }))]);
}

#[test]
fn entities_that_multiply_are_not_expanded() {
    let mut entities = "<!ENTITY a 'lol lol lol lol lol'>".to_owned();
    for (name, before) in
        ["b", "c", "d", "e", "f", "g", "h", "i"].into_iter().zip(["a", "b", "c", "d", "e", "f", "g", "h"])
    {
        let ten = format!("&{before};").repeat(10);
        entities.extend(["<!ENTITY ", name, " '", &ten, "'>"]);
    }
    let outside = "<!DOCTYPE d [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>";
    let body = |entity: &str| format!("<w:document><w:p><w:t>Words and {entity}.</w:t></w:p></w:document>");
    check(vec![
        ("a billion laughs", docx_of_xml(&format!("<!DOCTYPE d [{entities}]>{}", body("&i;"))), Ok("Words and .")),
        ("an entity that reads a file", docx_of_xml(&format!("{outside}{}", body("&x;"))), Ok("Words and .")),
    ]);
}

#[test]
fn cycles_and_repetitions_are_read_once() {
    let order = vec!["a"; 20_000];
    let book = archive([
        container("OEBPS/content.opf"),
        package(&[("a", "a.xhtml")], &order),
        ("OEBPS/a.xhtml".to_owned(), "<p>Once and no more.</p>".to_owned()),
    ]);
    let text = extract(&book, None, &Limits::default()).unwrap().text;
    assert_eq!(text, "Once and no more.");
    let above = archive([
        container("OEBPS/content.opf"),
        package(&[("a", "../../../../etc/passwd"), ("b", "b.xhtml")], &["a", "b"]),
        ("OEBPS/b.xhtml".to_owned(), "<p>Words of the book.</p>".to_owned()),
    ]);
    assert_eq!(extract(&above, None, &Limits::default()).unwrap().text, "Words of the book.");
}

#[test]
fn deep_nesting_is_refused_or_read_without_recursion() {
    let deep =
        |open: &str, close: &str, count: usize| format!("{}Words at last.{}", open.repeat(count), close.repeat(count));
    let tables = deep("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>", 1_000);
    check(vec![
        ("word document of tables in tables", docx(&tables), Err(ExtractionError::TooDeep)),
        (
            "page of boxes in boxes",
            format!("<html>{}", deep("<div>", "</div>", 5_000)).into_bytes(),
            Ok("Words at last."),
        ),
        ("page of bold in bold", format!("<html>{}", deep("<b><i>", "", 500)).into_bytes(), Ok("Words at last.")),
        ("quotations in quotations", format!("# T\n\n{}", deep("> ", "", 5_000)).into_bytes(), Ok("Words at last.")),
        ("brackets in brackets", format!("# T\n\n{}", deep("[", "](a)", 5_000)).into_bytes(), Ok("Words at last.")),
    ]);
}

#[test]
fn odd_pdf_files_are_refused() {
    use DocumentKind::Pdf;
    let good = pdf(&["A page of words.", "And another one."]);
    let scanned = pdf_of(&pdf_objects(&vec!["q 612 0 0 792 0 0 cm Q".to_owned(); 3]), "");
    let mut cyclic = pdf_objects(&["BT (x) Tj ET".to_owned()]);
    cyclic[1] = "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>".to_owned();
    let broken_page = pdf_of(&pdf_objects(&["BT /F9 12 Tf (No such font here.) Tj ET".to_owned()]), "");
    let pages: Vec<String> = vec!["BT /F1 12 Tf 72 720 Td (A page.) Tj ET".to_owned(); 10_000];
    check(vec![
        ("first bytes", b"%PDF-1.7\n".to_vec(), damaged(Pdf)),
        ("half a file", good[..good.len() / 2].to_vec(), damaged(Pdf)),
        ("pictures of pages", scanned, Err(ExtractionError::Scanned)),
        ("pages within themselves", pdf_of(&cyclic, ""), damaged(Pdf)),
        ("page of a font that is not there", broken_page, damaged(Pdf)),
        (
            "ten thousand pages",
            pdf_of(&pdf_objects(&pages), ""),
            Err(ExtractionError::TooManyPages { pages: 10_000, limit: 3_000 }),
        ),
        ("root that is not there", b"%PDF-1.4\ntrailer << /Root 9 0 R >>\nstartxref\n9\n%%EOF".to_vec(), damaged(Pdf)),
    ]);
}

#[test]
fn long_texts_are_refused_beyond_the_limit() {
    let limits = Limits { input: 40_000, text: 10_000, ..Limits::default() };
    let too_much = || Err(ExtractionError::TooMuchText { limit: limits.text });
    let words = "word ".repeat(4_000);
    check_within(
        &limits,
        vec![
            ("a long text", words.clone().into_bytes(), too_much()),
            ("a long page", format!("<html><p>{words}").into_bytes(), too_much()),
            ("a long word document", docx(&format!("<w:p><w:t>{words}</w:t></w:p>")), too_much()),
            ("a file over the limit", vec![b'a'; 40_001], Err(ExtractionError::FileTooLarge { limit: limits.input })),
            ("a line without a space", "é".repeat(4_000).into_bytes(), Ok("éééé")),
        ],
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_bytes_break_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..2_000), cut in any::<prop::sample::Index>()) {
        let limits = Limits::default();
        let _ = extract(&bytes, None, &limits);
        for mut file in [epub(Vec::new()), docx("<w:p><w:t>Words.</w:t></w:p>")] {
            let at = cut.index(file.len());
            file[at] ^= 1 + bytes.first().copied().unwrap_or_default() % 255;
            let _ = extract(&file, None, &limits);
        }
    }

    #[test]
    fn headings_stand_in_the_text(page in "(<h[1-3]>|<p>|</p>|<div>|[a-zé ]{1,9}|</h1>){0,40}") {
        if let Ok(document) = extract(format!("<html>{page}").as_bytes(), None, &Limits::default()) {
            let mut end = 0;
            for heading in document.headings {
                prop_assert!(heading.range.start >= end && document.text.get(heading.range.clone()).is_some());
                end = heading.range.end;
            }
        }
    }
}
