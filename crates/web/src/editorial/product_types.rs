//! Product pages and offers on the wire.

use serde::Serialize;
use utoipa::ToSchema;
use workflows::editorial::product_pages;

/// A link, with its words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ProductLink)]
pub struct Link {
    /// A path of this site.
    pub href: String,
    /// What it says.
    pub text: String,
}

/// One thing that the page tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ProductBlock)]
pub struct Block {
    /// Its heading.
    pub title: String,
    /// Its text.
    pub text: String,
}

/// A question that people have, and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ProductQuestion)]
pub struct Question {
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// Where to do what the answer tells.
    pub link: Option<Link>,
}

/// A plan as a page offers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ProductOffer)]
#[serde(rename_all = "camelCase")]
pub struct Offer {
    /// The plan's id.
    pub plan_id: String,
    /// Its name.
    pub name: String,
    /// What one costs, in cents.
    pub price: i64,
    /// The same for people: `$59.99`.
    pub price_text: String,
    /// For how long: 'a year'.
    pub per: String,
    /// A line below the price.
    pub note: String,
    /// What will be charged when, in words.
    pub terms: String,
    /// Where it is bought.
    pub link: Link,
    /// Whether the page puts it forward: one of them at most.
    pub recommended: bool,
    /// A word over the one that is put forward.
    pub badge: Option<String>,
}

/// A page that tells what can be had.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductPage {
    /// Its name.
    pub slug: String,
    /// The address at which it is kept by search engines.
    pub path: String,
    /// What stands in the title.
    pub title: String,
    /// The heading.
    pub heading: String,
    /// What stands below it.
    pub lead: String,
    /// What is said to a person whose free summaries are used up.
    pub limit_reached: Option<String>,
    /// The one thing to do on the page.
    pub link: Option<Link>,
    /// The plans, where the page is about them.
    pub offers: Vec<Offer>,
    /// What it tells.
    pub blocks: Vec<Block>,
    /// What people ask.
    pub questions: Vec<Question>,
}

/// One page.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ProductPageResult {
    /// The page.
    pub page: ProductPage,
}

impl From<product_pages::Link> for Link {
    fn from(link: product_pages::Link) -> Self {
        Self { href: link.href, text: link.text }
    }
}

impl From<product_pages::Offer> for Offer {
    fn from(offer: product_pages::Offer) -> Self {
        let plan = offer.plan;
        Self {
            price: plan.price.cents(),
            price_text: plan.price.to_string(),
            plan_id: plan.id,
            name: plan.name,
            per: offer.per,
            note: offer.note,
            terms: offer.terms,
            link: offer.link.into(),
            recommended: offer.recommended,
            badge: offer.badge,
        }
    }
}

impl From<product_pages::Question> for Question {
    fn from(one: product_pages::Question) -> Self {
        Self { question: one.question, answer: one.answer, link: one.link.map(Into::into) }
    }
}

impl From<product_pages::ProductPage> for ProductPage {
    fn from(page: product_pages::ProductPage) -> Self {
        let block = |block: product_pages::Block| Block { title: block.title, text: block.text };
        Self {
            slug: page.slug,
            path: page.path,
            title: page.title,
            heading: page.heading,
            lead: page.lead,
            limit_reached: page.limit_reached,
            link: page.link.map(Into::into),
            offers: page.offers.into_iter().map(Into::into).collect(),
            blocks: page.blocks.into_iter().map(block).collect(),
            questions: page.questions.into_iter().map(Into::into).collect(),
        }
    }
}
