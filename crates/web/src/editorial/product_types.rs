//! Product pages and offers on the wire.

use serde::Serialize;
use utoipa::ToSchema;
use workflows::editorial::product_pages;

/// A link and its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ProductLink)]
pub struct Link {
    /// A path on this site.
    pub href: String,
    /// The text of the link.
    pub text: String,
}

/// A heading and a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ProductBlock)]
pub struct Block {
    /// The heading.
    pub title: String,
    /// The text.
    pub text: String,
}

/// A frequently asked question and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ProductQuestion)]
pub struct Question {
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// A link for doing what the answer describes; null without one.
    pub link: Option<Link>,
}

/// A plan as offered on a product page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ProductOffer)]
#[serde(rename_all = "camelCase")]
pub struct Offer {
    /// The id of the plan.
    pub plan_id: String,
    /// The display name of the plan.
    pub name: String,
    /// The price of one unit, in cents.
    pub price: i64,
    /// The formatted price, such as `$59.99`.
    pub price_text: String,
    /// The billing period, such as `a year`.
    pub per: String,
    /// The line below the price.
    pub note: String,
    /// The terms: what is charged, and when.
    pub terms: String,
    /// The link to the purchase.
    pub link: Link,
    /// Whether the page recommends it; at most one offer is recommended.
    pub recommended: bool,
    /// The label above a recommended offer; null without one.
    pub badge: Option<String>,
}

/// A product page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductPage {
    /// The slug of the page.
    pub slug: String,
    /// The canonical path.
    pub path: String,
    /// The title of the document.
    pub title: String,
    /// The heading.
    pub heading: String,
    /// The text below the heading.
    pub lead: String,
    /// The text for a member whose free summaries are used up; null without one.
    pub limit_reached: Option<String>,
    /// The call to action; null without one.
    pub link: Option<Link>,
    /// The plans on offer; may be empty.
    pub offers: Vec<Offer>,
    /// The content blocks.
    pub blocks: Vec<Block>,
    /// The frequently asked questions.
    pub questions: Vec<Question>,
}

/// The result of a request for a product page.
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
