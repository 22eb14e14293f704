//! The screens whose text is not the server's: the address of each, and the chunk that shows it.

/// A screen of the web app.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// The address, in the syntax of the server's router.
    pub path: &'static str,
    /// The chunk that shows it, as the build's manifest names it.
    pub chunk: &'static str,
    /// What stands in the title, before the site's name.
    pub title: &'static str,
    /// What the page says; nothing where it is the app's alone.
    pub text: Option<&'static str>,
}

const COMING: &str = "This page is not here yet.";

const fn screen(path: &'static str, chunk: &'static str, title: &'static str) -> Screen {
    Screen { path, chunk, title, text: None }
}

const fn coming(path: &'static str, title: &'static str) -> Screen {
    Screen { path, chunk: "coming-soon", title, text: Some(COMING) }
}

/// Screens whose text is the member's own, or a form. The public ones have templates of their own.
pub const SCREENS: &[Screen] = &[
    screen("/signup", "signup", "Sign up"),
    screen("/login", "login", "Login"),
    screen("/goback", "goback", "One moment"),
    screen("/login-link", "login-link", "Login"),
    screen("/forgot-password", "forgot-password", "Forgot Password"),
    screen("/reset-password/{email}/{code}", "reset-password", "Reset Password"),
    screen("/confirm-email", "confirm-email", "Confirm your address"),
    screen("/logout", "logout", "Logout"),
    screen("/home", "home", "My Home"),
    screen("/recommendations", "recommendations", "Books Recommended For You"),
    screen("/choose-categories/{type:new|edit}", "choose-categories", "Set Preferences"),
    screen("/library", "library", "Your Library"),
    screen("/my-progress", "my-progress", "My Progress"),
    screen("/set-kindle", "set-kindle", "Send to Kindle"),
    screen("/send-to-kindle", "send-to-kindle", "Send to Kindle"),
    screen("/send-to-kindle/{bookId}", "send-to-kindle", "Send to Kindle"),
    screen("/download-pdf/{id}/{title}", "download-pdf", "Download PDF"),
    screen("/download-pdf-or/{id}/{title}", "download-pdf-or", "Download PDF"),
    screen("/account", "account", "Account"),
    screen("/account/delete", "account-delete", "Delete Account"),
    screen("/account/archive", "account-archive", "Your Archive"),
    screen("/contact", "contact", "Contact Us"),
    screen("/suggest", "suggest", "Suggest a Book"),
    screen("/feedback-form", "feedback", "Feedback"),
    screen("/refer-a-friend", "refer-a-friend", "Refer a Friend"),
    screen("/r/{id}", "referral", "One moment"),
    screen("/invite", "invite", "Affiliate Program"),
    screen("/cancel", "cancel", "Cancel Subscription"),
    screen("/stacksocial", "stack-social", "Redeem a Code"),
    screen("/subscriptioncode", "subscription-code", "Redeem a Code"),
    screen("/subscriptioncode/{code}", "subscription-code", "Redeem a Code"),
    screen("/admin", "admin", "Back Office"),
    screen("/admin/messages", "admin", "Inbox"),
    screen("/admin/mails", "admin", "Mails"),
    screen("/payment/{planId}", "payment", "Checkout"),
    screen("/ten-day-challenge", "ten-day-challenge", "Ten Day Challenge"),
    screen("/get-started", "get-started", "Get Started"),
    screen("/secret", "secret", "Get Started"),
    screen("/quiz", "quiz", "Intelligence Quiz"),
    screen("/quiz-results", "quiz-results", "Intelligence Quiz"),
    screen("/personality-quiz", "personality-quiz", "Personality Quiz"),
    screen("/personality-quiz-results", "personality-quiz-results", "Personality Quiz"),
    coming("/ai", "AI Summariser"),
];
