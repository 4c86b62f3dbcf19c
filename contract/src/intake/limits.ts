/** A mail holds no more signs. */
export const MOST_MAIL_SIGNS = 100_000
