//! A receipt of a payment as a PDF, typeset by Typst.

use std::sync::LazyLock;

use typst::foundations::{Array, Dict, IntoValue, dict};
use typst_as_lib::{TypstEngine, TypstTemplateMainFile};

use crate::{
    DocumentError,
    glyphs::faces,
    pdf::{typeset, words},
};

/// The typesetter with its fonts. It has no access to files or the network.
static ENGINE: LazyLock<TypstEngine<TypstTemplateMainFile>> =
    LazyLock::new(|| TypstEngine::builder().main_file(include_str!("../templates/receipt.typ")).fonts(faces()).build());

/// A line of a receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptLine {
    pub text: String,
    /// A remark, such as the period; may be empty.
    pub note: String,
    /// The amount, formatted with its currency.
    pub amount: String,
}

/// The content of a receipt. Amounts and dates are formatted texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    pub number: String,
    /// The site's name.
    pub site: String,
    /// The site's absolute URL.
    pub url: String,
    /// Label and value of number, date, payer and method, in the order shown.
    pub facts: Vec<(String, String)>,
    /// The purchased items and the discounts.
    pub lines: Vec<ReceiptLine>,
    /// The charged amount.
    pub total: String,
    /// Refunds since, and the remaining amount. Empty without refunds.
    pub after: Vec<ReceiptLine>,
    /// Remarks at the end, one sentence each.
    pub notes: Vec<String>,
}

/// Makes the PDF of a receipt, tagged for screen readers (PDF/UA-1).
pub fn receipt_pdf(receipt: &Receipt) -> Result<Vec<u8>, DocumentError> {
    let facts: Array = receipt
        .facts
        .iter()
        .map(|(name, text)| dict! { "name" => words(name), "text" => words(text) }.into_value())
        .collect();
    let notes: Array = receipt.notes.iter().map(|note| words(note).into_value()).collect();
    let inputs: Dict = dict! {
        "number" => words(&receipt.number),
        "site" => words(&receipt.site),
        "url" => receipt.url.as_str(),
        "address" => words(receipt.url.split_once("://").map_or(&receipt.url, |(_, rest)| rest)),
        "facts" => facts,
        "lines" => lines(&receipt.lines),
        "total" => words(&receipt.total),
        "after" => lines(&receipt.after),
        "notes" => notes,
    };
    typeset(&ENGINE, inputs, &format!("{} receipt {}", receipt.url, receipt.number), &receipt.site)
}

fn lines(all: &[ReceiptLine]) -> Array {
    let line = |one: &ReceiptLine| {
        dict! { "text" => words(&one.text), "note" => words(&one.note), "amount" => words(&one.amount) }.into_value()
    };
    all.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, note: &str, amount: &str) -> ReceiptLine {
        ReceiptLine { text: text.to_owned(), note: note.to_owned(), amount: amount.to_owned() }
    }

    fn example() -> Receipt {
        Receipt {
            number: "R-7K2M-Q9XD-4T".to_owned(),
            site: "Pith".to_owned(),
            url: "https://pith.example".to_owned(),
            facts: vec![
                ("Receipt".to_owned(), "R-7K2M-Q9XD-4T".to_owned()),
                ("Paid by".to_owned(), "李 Łukasz <#strong[x]>".to_owned()),
            ],
            lines: vec![line("Yearly", "June 15, 2026 to June 15, 2027", "59.99"), line("Coupon SPRING", "", "−24.00")],
            total: "35.99".to_owned(),
            after: vec![line("Refunded on June 20, 2026", "", "−35.99")],
            notes: vec!["No tax was charged.".to_owned()],
        }
    }

    #[test]
    fn everything_that_a_receipt_says_stands_on_its_page() {
        let bytes = receipt_pdf(&example()).expect("a PDF");
        let document = lopdf::Document::load_mem(&bytes).expect("a PDF to read");
        let pages: Vec<u32> = document.get_pages().keys().copied().collect();
        assert_eq!(pages.len(), 1);
        let text = document.extract_text(&pages).expect("text");
        for part in ["R-7K2M-Q9XD-4T", "#strong[x]", "SPRING", "59.99", "35.99", "Refunded", "No tax was charged."] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!(receipt_pdf(&example()).expect("a PDF"), bytes, "the same receipt is the same file");
    }
}
