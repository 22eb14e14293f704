//! The product pages: their texts, of `apps/server/product/pages.toml`, with the prices that hold now.

use std::{collections::BTreeMap, sync::LazyLock};

use billing::{Billing, Plan};
use kernel::{Money, StoreError};
use postgres::Pg;
use serde::Deserialize;

use super::editorial::in_place;
use crate::{
    config::Config,
    wire::product::{Block, Link, Offer, ProductPage, ProductPageResult, Question},
};

/// Months of a year, by which a yearly price is told for a month.
const MONTHS: i64 = 12;

#[derive(Debug, Deserialize)]
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

#[derive(Debug, Deserialize)]
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

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockText {
    title: String,
    text: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct QuestionText {
    question: String,
    answer: String,
    link: Option<String>,
    link_text: Option<String>,
}

static TEXTS: LazyLock<BTreeMap<String, Text>> =
    LazyLock::new(|| toml::from_str(include_str!("../../product/pages.toml")).expect("a test reads the same texts"));

/// A product page of this name, with the prices of this moment. None when there is no such page.
pub fn page(pg: &mut Pg<'_>, slug: &str, config: &Config) -> Result<Option<ProductPageResult>, StoreError> {
    let Some(text) = TEXTS.get(slug) else { return Ok(None) };
    let plans = pg.plans()?;
    Ok(Some(ProductPageResult { page: written(slug, text, &plans, config) }))
}

/// Where product pages stand, each address with the name of its page.
pub fn addresses() -> impl Iterator<Item = (&'static str, &'static str)> {
    TEXTS.iter().flat_map(|(slug, text)| text.paths.iter().map(|path| (path.as_str(), slug.as_str())))
}

/// The address at which each page is kept by search engines.
pub fn paths() -> impl Iterator<Item = &'static str> {
    TEXTS.values().filter_map(|text| text.paths.first()).map(String::as_str)
}

fn written(slug: &str, text: &Text, plans: &[Plan], config: &Config) -> ProductPage {
    let said = |text: &str| priced(&in_place(text, config), plans);
    let link = |href: Option<&String>, words: Option<&String>| {
        href.zip(words).map(|(href, words)| Link { href: href.clone(), text: said(words) })
    };
    ProductPage {
        slug: slug.to_owned(),
        path: text.paths.first().cloned().unwrap_or_default(),
        title: said(&text.title),
        heading: said(&text.heading),
        lead: said(&text.lead),
        limit_reached: text.limit_reached.as_deref().map(said),
        link: link(text.link.as_ref(), text.link_text.as_ref()),
        offers: text.offer.iter().filter_map(|offer| offered(offer, plans, said)).collect(),
        blocks: text.block.iter().map(|block| Block { title: said(&block.title), text: said(&block.text) }).collect(),
        questions: text
            .question
            .iter()
            .map(|one| Question {
                question: said(&one.question),
                answer: said(&one.answer),
                link: link(one.link.as_ref(), one.link_text.as_ref()),
            })
            .collect(),
    }
}

/// A plan as the page offers it. One that is not sold any more is left out.
fn offered(offer: &OfferText, plans: &[Plan], said: impl Fn(&str) -> String) -> Option<Offer> {
    let plan = plans.iter().find(|plan| plan.id == offer.plan)?;
    Some(Offer {
        plan_id: plan.id.clone(),
        name: plan.name.clone(),
        price: plan.price.cents(),
        price_text: plan.price.to_string(),
        per: said(&offer.per),
        note: said(&offer.note),
        terms: said(&offer.terms),
        link: Link { href: format!("/payment/{}", plan.id), text: said(&offer.button) },
        recommended: offer.recommended,
        badge: offer.badge.as_deref().map(said),
    })
}

/// Puts prices in the place of `{price.<plan>}`, and of `{month.<plan>}` a twelfth, rounded up to a cent.
fn priced(text: &str, plans: &[Plan]) -> String {
    plans.iter().fold(text.to_owned(), |text, plan| {
        let month = Money::from_cents(plan.price.cents().saturating_add(MONTHS - 1) / MONTHS);
        text.replace(&format!("{{price.{}}}", plan.id), &plan.price.to_string())
            .replace(&format!("{{month.{}}}", plan.id), &month.to_string())
    })
}

#[cfg(test)]
mod tests {
    use billing::STARTING_PLANS;

    use super::*;

    fn plans() -> Vec<Plan> {
        let plan = |id: &str, name: &str, kind, price| Plan { id: id.to_owned(), name: name.to_owned(), kind, price };
        STARTING_PLANS.iter().map(|one| plan(one.id, one.name, one.kind, one.price)).collect()
    }

    #[test]
    fn every_text_is_there_and_every_price_in_it_is_known() {
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
    fn three_plans_are_offered_and_one_of_them_is_put_forward() {
        let text = &TEXTS["try"];
        let ids: Vec<&str> = text.offer.iter().map(|offer| offer.plan.as_str()).collect();
        assert_eq!(ids, ["monthly", "yearly", "lifetime"]);
        assert_eq!(text.offer.iter().filter(|offer| offer.recommended).count(), 1);
    }

    #[test]
    fn prices_are_put_in_place() {
        let plans = plans();
        assert_eq!(priced("{price.yearly} a year, {month.yearly} a month", &plans), "$59.99 a year, $5.00 a month");
        assert_eq!(priced("{price.unknown}", &plans), "{price.unknown}");
    }

    #[test]
    fn pages_are_found_by_all_of_their_paths() {
        let slug_at = |path| addresses().find(|(one, _)| *one == path).map(|(_, slug)| slug);
        assert_eq!((slug_at("/pricing"), slug_at("/try"), slug_at("/")), (Some("try"), Some("try"), None));
        assert_eq!(slug_at("/affiliate"), slug_at("/refer"));
        assert_eq!(paths().collect::<Vec<_>>(), ["/refer", "/giftcard", "/teams", "/try"]);
    }

    /// Two sentences compare prices; they hold while the prices are about these.
    #[test]
    fn what_the_texts_say_of_prices_is_so() {
        let cents = |id: &str| plans().into_iter().find(|plan| plan.id == id).map_or(0, |plan| plan.price.cents());
        let percent = |of: i64, whole: i64| of * 100 / whole;
        let share = percent(cents("yearly"), 12 * cents("monthly"));
        assert!((45..55).contains(&share), "'costs about half as much': {share}%");
        let seat = percent(cents("bulk"), cents("yearly"));
        assert!((45..55).contains(&seat), "'Half the price of going alone': {seat}%");
    }
}
