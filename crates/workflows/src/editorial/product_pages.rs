//! The product pages: texts from `product/pages.toml`, or as editors have rewritten them, with the current prices of the plans.

use std::{collections::BTreeMap, sync::LazyLock};

use billing::{BillingQueries, Plan};
use editorial::{EditorialQueries, PageTexts};
use kernel::{Money, Slug, StoreError};
use serde::Deserialize;

use crate::{
    editorial::texts::fill_in,
    tx::{Settings, Tx},
};

/// Months per year, for the monthly price of a yearly plan.
const MONTHS: i64 = 12;

/// A page that presents what can be bought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductPage {
    pub slug: String,
    /// The canonical path.
    pub path: String,
    pub title: String,
    pub heading: String,
    /// The text below the heading.
    pub lead: String,
    /// The text for a member whose free summaries are used up.
    pub limit_reached: Option<String>,
    /// The page's call to action.
    pub link: Option<Link>,
    /// The plans on offer.
    pub offers: Vec<Offer>,
    pub blocks: Vec<Block>,
    pub questions: Vec<Question>,
}

/// A link and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// A path on this site.
    pub href: String,
    pub text: String,
}

/// A plan as a page offers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub plan: Plan,
    /// The billing period: 'a year'.
    pub per: String,
    /// A line below the price.
    pub note: String,
    /// What is charged, and when.
    pub terms: String,
    /// Where to buy the plan.
    pub link: Link,
    /// Whether the page recommends it: at most one offer.
    pub recommended: bool,
    /// A label above the recommended offer.
    pub badge: Option<String>,
}

/// A heading and a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub title: String,
    pub text: String,
}

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub question: String,
    pub answer: String,
    /// Where to do what the answer describes.
    pub link: Option<Link>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    paths: Vec<String>,
    title: String,
    heading: String,
    lead: String,
    limit_reached: Option<String>,
    link: Option<String>,
    link_text: Option<String>,
    #[serde(default)]
    offer: Vec<OfferText>,
    block: Vec<BlockText>,
    question: Vec<QuestionText>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfferText {
    plan: String,
    per: String,
    note: String,
    terms: String,
    button: String,
    #[serde(default)]
    recommended: bool,
    badge: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockText {
    title: String,
    text: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct QuestionText {
    question: String,
    answer: String,
    link: Option<String>,
    link_text: Option<String>,
}

static TEXTS: LazyLock<BTreeMap<String, Text>> =
    LazyLock::new(|| toml::from_str(include_str!("../../product/pages.toml")).expect("a test reads the same texts"));

/// Reads a product page with current prices; `None` if there is no such page.
pub fn product_page<A>(tx: &mut Tx<'_, '_, A>, slug: &str) -> Result<Option<ProductPage>, StoreError> {
    if !TEXTS.contains_key(slug) {
        return Ok(None);
    }
    let written = tx.pg.page_texts(&Slug::parse(slug).map_err(StoreError::new)?)?;
    let Some(text) = written_text(slug, &written) else { return Ok(None) };
    Ok(Some(compose(slug, &text, &tx.pg.plans()?, tx.settings)))
}

/// A text of a page as editors write it, with its placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageText {
    /// A stable name, such as `block.0.title`.
    pub name: String,
    /// A label for editors: 'Block 1: title'.
    pub label: String,
    /// Plain text.
    pub text: String,
    /// Whether it is a paragraph rather than a single line.
    pub is_long: bool,
}

/// A field of a page: name, label, whether it is a paragraph, and text.
type Field<'a> = (String, String, bool, &'a mut String);

/// The editable texts of a page, in its order. Plans, links and the recommendation are not among them.
fn fields(page: &mut Text) -> Vec<Field<'_>> {
    let mut all: Vec<Field<'_>> = vec![
        ("title".into(), "Title".into(), false, &mut page.title),
        ("heading".into(), "Heading".into(), false, &mut page.heading),
        ("lead".into(), "Lead".into(), true, &mut page.lead),
    ];
    let optional = [
        ("limit_reached", "Free summaries used up", true, &mut page.limit_reached),
        ("link_text", "Button", false, &mut page.link_text),
    ];
    for (name, label, is_long, text) in optional {
        all.extend(text.as_mut().map(|text| (name.into(), label.into(), is_long, text)));
    }
    for (n, offer) in page.offer.iter_mut().enumerate() {
        let plan = &offer.plan;
        let mut field = |name: &str, label: &str, text| {
            all.push((format!("offer.{n}.{name}"), format!("Plan {plan}: {label}"), false, text));
        };
        field("per", "price for", &mut offer.per);
        field("note", "note", &mut offer.note);
        field("terms", "terms", &mut offer.terms);
        field("button", "button", &mut offer.button);
        if let Some(badge) = &mut offer.badge {
            field("badge", "badge", badge);
        }
    }
    for (n, block) in page.block.iter_mut().enumerate() {
        let label = |what| format!("Block {}: {what}", n + 1);
        all.push((format!("block.{n}.title"), label("title"), false, &mut block.title));
        all.push((format!("block.{n}.text"), label("text"), true, &mut block.text));
    }
    for (n, one) in page.question.iter_mut().enumerate() {
        let label = |what| format!("Question {}: {what}", n + 1);
        all.push((format!("question.{n}.question"), label("question"), false, &mut one.question));
        all.push((format!("question.{n}.answer"), label("answer"), true, &mut one.answer));
        if let Some(text) = &mut one.link_text {
            all.push((format!("question.{n}.link_text"), label("link"), false, text));
        }
    }
    all
}

/// A page's texts, with editors' versions in place of the original ones; `None` if there is no such page.
fn written_text(slug: &str, written: &PageTexts) -> Option<Text> {
    let mut page = TEXTS.get(slug)?.clone();
    for (name, _, _, text) in fields(&mut page) {
        if let Some(other) = written.get(&name) {
            text.clone_from(other);
        }
    }
    Some(page)
}

/// The path of a page, and its texts for editors; `None` if there is no such page.
pub fn edited_texts(slug: &str, written: &PageTexts) -> Option<(String, Vec<PageText>)> {
    let mut page = written_text(slug, written)?;
    let path = page.paths.first().cloned().unwrap_or_default();
    let texts = fields(&mut page).into_iter();
    let texts = texts.map(|(name, label, is_long, text)| PageText { name, label, text: text.clone(), is_long });
    Some((path, texts.collect()))
}

/// The first unknown placeholder in a text, which readers would see literally; `None` if there is none.
pub fn unknown_placeholder(text: &str, plans: &[Plan]) -> Option<String> {
    let known = ["{name}", "{email}", "{url}"].iter().fold(priced(text, plans), |text, name| text.replace(name, ""));
    let begin = known.find('{')?;
    let end = known[begin..].find('}').map_or(known.len(), |at| begin + at + 1);
    Some(known[begin..end].to_owned())
}

/// The paths of all product pages, each with its page's slug; a page may have several.
pub fn routes() -> impl Iterator<Item = (&'static str, &'static str)> {
    TEXTS.iter().flat_map(|(slug, text)| text.paths.iter().map(|path| (path.as_str(), slug.as_str())))
}

/// The canonical path of each product page.
pub fn canonical_paths() -> impl Iterator<Item = &'static str> {
    TEXTS.values().filter_map(|text| text.paths.first()).map(String::as_str)
}

fn compose(slug: &str, text: &Text, plans: &[Plan], settings: &Settings) -> ProductPage {
    let filled = |text: &str| priced(&fill_in(text, settings), plans);
    let link = |href: Option<&String>, words: Option<&String>| {
        href.zip(words).map(|(href, words)| Link { href: href.clone(), text: filled(words) })
    };
    ProductPage {
        slug: slug.to_owned(),
        path: text.paths.first().cloned().unwrap_or_default(),
        title: filled(&text.title),
        heading: filled(&text.heading),
        lead: filled(&text.lead),
        limit_reached: text.limit_reached.as_deref().map(filled),
        link: link(text.link.as_ref(), text.link_text.as_ref()),
        offers: offers_of(&text.offer, plans, filled),
        blocks: text
            .block
            .iter()
            .map(|block| Block { title: filled(&block.title), text: filled(&block.text) })
            .collect(),
        questions: text
            .question
            .iter()
            .map(|one| Question {
                question: filled(&one.question),
                answer: filled(&one.answer),
                link: link(one.link.as_ref(), one.link_text.as_ref()),
            })
            .collect(),
    }
}

/// The plans on sale that a page offers. One that was added is offered behind them in the words of the page's plan of its
/// kind (`billing.plan-add`).
fn offers_of(texts: &[OfferText], plans: &[Plan], filled: impl Fn(&str) -> String) -> Vec<Offer> {
    let kind_of = |text: &OfferText| plans.iter().find(|plan| plan.id == text.plan).map(|plan| plan.kind);
    let added = plans.iter().filter(|plan| texts.iter().all(|text| text.plan != plan.id));
    let added = added.filter_map(|plan| {
        let like = texts.iter().find(|text| kind_of(text) == Some(plan.kind))?;
        let own = |text: &str| {
            ["price", "month"].iter().fold(text.to_owned(), |text, what| {
                text.replace(&format!("{{{what}.{}}}", like.plan), &format!("{{{what}.{}}}", plan.id))
            })
        };
        Some(OfferText {
            plan: plan.id.clone(),
            per: own(&like.per),
            note: own(&like.note),
            terms: own(&like.terms),
            button: own(&like.button),
            recommended: false,
            badge: None,
        })
    });
    texts.iter().cloned().chain(added).filter_map(|text| offer_of(&text, plans, &filled)).collect()
}

/// A plan as the page offers it; `None` if the plan is no longer sold.
fn offer_of(offer: &OfferText, plans: &[Plan], filled: impl Fn(&str) -> String) -> Option<Offer> {
    let plan = plans.iter().find(|plan| plan.id == offer.plan && !plan.archived)?;
    Some(Offer {
        plan: plan.clone(),
        per: filled(&offer.per),
        note: filled(&offer.note),
        terms: filled(&offer.terms),
        link: Link { href: format!("/payment/{}", plan.id), text: filled(&offer.button) },
        recommended: offer.recommended,
        badge: offer.badge.as_deref().map(filled),
    })
}

/// Replaces `{price.<plan>}` with a plan's price, and `{month.<plan>}` with a twelfth of it, rounded up to a cent.
fn priced(text: &str, plans: &[Plan]) -> String {
    plans.iter().fold(text.to_owned(), |text, plan| {
        let month = Money::from_cents(plan.price.cents().saturating_add(MONTHS - 1) / MONTHS);
        text.replace(&format!("{{price.{}}}", plan.id), &plan.price.to_string())
            .replace(&format!("{{month.{}}}", plan.id), &month.to_string())
    })
}

#[cfg(test)]
mod tests {
    use billing::{PlanKind, STARTING_PLANS};

    use super::*;

    fn plans() -> Vec<Plan> {
        STARTING_PLANS.iter().map(Plan::from).collect()
    }

    #[test]
    fn every_page_has_texts_and_names_only_prices_of_known_plans() {
        let slugs: Vec<&str> = TEXTS.keys().map(String::as_str).collect();
        assert_eq!(slugs, ["affiliate", "giftcard", "teams", "try"]);
        for (slug, text) in TEXTS.iter() {
            assert!(!text.paths.is_empty() && !text.block.is_empty() && !text.question.is_empty(), "{slug}");
            assert_eq!(text.link.is_some(), text.link_text.is_some(), "{slug}");
            let all = format!("{text:?}");
            let left = priced(&all, &plans());
            assert!(!left.contains("{price.") && !left.contains("{month."), "{slug} names a price that no plan has");
            for link in text.link.iter().chain(text.question.iter().filter_map(|one| one.link.as_ref())) {
                assert!(link.starts_with('/') && !link.starts_with("//"), "{slug}: {link}");
            }
        }
    }

    #[test]
    fn try_page_offers_three_plans_and_recommends_one() {
        let text = &TEXTS["try"];
        let ids: Vec<&str> = text.offer.iter().map(|offer| offer.plan.as_str()).collect();
        assert_eq!(ids, ["yearly", "monthly", "lifetime"]);
        assert_eq!(text.offer.iter().filter(|offer| offer.recommended).count(), 1);
    }

    #[test]
    fn an_added_plan_is_offered_like_those_of_its_kind_and_an_archived_one_is_not() {
        let mut plans = plans();
        plans.push(Plan::new("student", "Student".to_owned(), PlanKind::Yearly, Money::from_cents(2_999)).unwrap());
        plans[0].archived = true;
        let offers = offers_of(&TEXTS["try"].offer, &plans, |text| priced(text, &plans));
        let ids: Vec<&str> = offers.iter().map(|offer| offer.plan.id.as_str()).collect();
        assert_eq!(ids, ["yearly", "lifetime", "student"]);
        let student = &offers[2];
        assert_eq!((student.link.href.as_str(), student.recommended), ("/payment/student", false));
        assert!(student.terms.contains("$29.99") && student.note.contains("$2.50"), "{student:?}");
        let seats = offers_of(&TEXTS["teams"].offer, &plans, str::to_owned);
        assert!(seats.iter().all(|offer| offer.plan.id != "student"), "{seats:?}");
    }

    #[test]
    fn price_placeholders_are_replaced_and_unknown_ones_stay() {
        let plans = plans();
        assert_eq!(priced("{price.yearly} a year, {month.yearly} a month", &plans), "$59.99 a year, $5.00 a month");
        assert_eq!(priced("{price.unknown}", &plans), "{price.unknown}");
    }

    #[test]
    fn written_texts_stand_in_the_place_of_those_that_a_page_came_with() {
        let written: PageTexts = [("block.1.title", "Read or listen"), ("offer.0.badge", "Half price"), ("other", "x")]
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .into();
        let page = written_text("try", &written).unwrap();
        assert_eq!(
            (page.block[1].title.as_str(), page.offer[0].badge.as_deref()),
            ("Read or listen", Some("Half price"))
        );
        assert_eq!(page.block[0].title, TEXTS["try"].block[0].title);
        let (path, texts) = edited_texts("try", &written).unwrap();
        assert_eq!(path, "/try");
        let names: std::collections::BTreeSet<&str> = texts.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names.len(), texts.len(), "a name is of one text");
        assert!(texts.iter().any(|one| one.name == "block.1.title" && one.text == "Read or listen" && !one.is_long));
        assert_eq!(edited_texts("about", &written), None);
    }

    #[test]
    fn placeholder_that_stands_for_nothing_is_found() {
        let unknown = |text: &str| unknown_placeholder(text, &plans());
        assert_eq!(unknown("{name}: {price.yearly}, {month.yearly}, {email} {url}"), None);
        assert_eq!(unknown("For {price.weekly}."), Some("{price.weekly}".to_owned()));
        assert_eq!(unknown("{name"), Some("{name".to_owned()));
        for slug in TEXTS.keys() {
            let (_, texts) = edited_texts(slug, &PageTexts::new()).unwrap();
            assert!(texts.iter().all(|one| unknown(&one.text).is_none()), "{slug}");
        }
    }

    #[test]
    fn page_is_found_by_each_of_its_paths() {
        let slug_at = |path| routes().find(|(one, _)| *one == path).map(|(_, slug)| slug);
        assert_eq!((slug_at("/pricing"), slug_at("/try"), slug_at("/")), (Some("try"), Some("try"), None));
        assert_eq!(slug_at("/affiliate"), slug_at("/refer"));
        assert_eq!(canonical_paths().collect::<Vec<_>>(), ["/refer", "/giftcard", "/teams", "/try"]);
    }

    /// Two sentences compare prices; they are true only at about these prices.
    #[test]
    fn comparisons_of_prices_in_texts_are_true() {
        let cents = |id: &str| plans().into_iter().find(|plan| plan.id == id).map_or(0, |plan| plan.price.cents());
        let percent = |of: i64, whole: i64| of * 100 / whole;
        let share = percent(cents("yearly"), 12 * cents("monthly"));
        assert!((45..55).contains(&share), "'costs about half as much': {share}%");
        let seat = percent(cents("bulk"), cents("yearly"));
        assert!((45..55).contains(&seat), "'Half the price of going alone': {seat}%");
    }
}
