// Addresses that the product names and that later issues fill: title and path. A line goes when its screen comes.
export const comingScreens: readonly { path: string; title: string }[] = [
  { path: 'payment/:planId', title: 'Checkout' },
  { path: 'stacksocial', title: 'Redeem a Code' },
  { path: 'subscriptioncode', title: 'Redeem a Code' },
  { path: 'subscriptioncode/:code', title: 'Redeem a Code' },
  { path: 'cancel', title: 'Cancel Subscription' },
  { path: 'invite', title: 'Affiliate Program' },
  { path: 'ten-day-challenge', title: 'Ten Day Challenge' },
  { path: 'get-started', title: 'Get Started' },
  { path: 'secret', title: 'Get Started' },
  { path: 'quiz', title: 'Intelligence Quiz' },
  { path: 'quiz-results', title: 'Intelligence Quiz' },
  { path: 'personality-quiz', title: 'Personality Quiz' },
  { path: 'personality-quiz-results', title: 'Personality Quiz' },
  { path: 'ai', title: 'AI Summariser' },
];
