// What a session may be: the rules of its form, which are those of the server.

/** The minutes that are offered. */
export const QUICK_MINUTES = [5, 10, 15, 20, 30] as const;

export const MAX_SESSION_MINUTES = 120;
/** In Unicode characters, in which the server counts. */
export const MAX_SESSION_TOPIC = 100;

/** Whether a topic is short enough. */
export const isSessionTopic = (topic: string): boolean => Array.from(topic).length <= MAX_SESSION_TOPIC;
