//! Title, lead and path of a list of posts: all posts, one category, or the news.

use editorial::{PostCategory, WHATS_NEW};
use kernel::Slug;

const LEAD: &str = "On reading, on old books and what they are good for, and on what is new here.";
const NEWS_LEAD: &str = "What we have added, and why.";

/// The head of a page with a list of posts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlogHead {
    pub title: String,
    /// The line below the title.
    pub lead: &'static str,
    /// The URL path; has a query when the list is a category's.
    pub path: String,
}

impl BlogHead {
    /// The head for a category (`None`: all posts). `categories` provides the name of the category.
    pub fn of(category: Option<&Slug>, categories: &[PostCategory]) -> Self {
        let Some(category) = category else {
            return Self { title: "Blog".to_owned(), lead: LEAD, path: "/blog".to_owned() };
        };
        if category.as_str() == WHATS_NEW {
            return Self { title: "What's New".to_owned(), lead: NEWS_LEAD, path: "/blog/whats-new".to_owned() };
        }
        let name = categories.iter().find(|one| one.slug == *category).map(|one| one.name.clone());
        let path = format!("/blog?category={category}");
        Self { title: name.unwrap_or_else(|| "Blog".to_owned()), lead: LEAD, path }
    }

    /// The URL path of the next page, which begins after this cursor.
    pub fn next_address(&self, after: &str) -> String {
        let joint = if self.path.contains('?') { '&' } else { '?' };
        format!("{}{joint}after={after}", self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_posts_is_named_by_its_category() {
        let slug = |text: &str| Slug::parse(text).unwrap();
        let categories = [PostCategory { slug: slug("old-books"), name: "Old books".to_owned() }];
        let head = |category: Option<&str>| BlogHead::of(category.map(slug).as_ref(), &categories);
        let all = head(None);
        assert_eq!((all.title.as_str(), all.path.as_str()), ("Blog", "/blog"));
        assert_eq!(all.next_address("1-2"), "/blog?after=1-2");
        let one = head(Some("old-books"));
        assert_eq!((one.title.as_str(), one.path.as_str()), ("Old books", "/blog?category=old-books"));
        assert_eq!(one.next_address("1-2"), "/blog?category=old-books&after=1-2");
        let news = head(Some(WHATS_NEW));
        assert_eq!((news.title.as_str(), news.path.as_str()), ("What's New", "/blog/whats-new"));
    }
}
