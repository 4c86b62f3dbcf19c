import { expect, type Response } from '@playwright/test'

/** What every page of a link answers with: nothing of others is loaded, no search engine keeps it, it tells nobody. */
export const expectPublicHeaders = (answer: Response | null): void =>
  expect(answer!.headers()).toMatchObject({
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'x-robots-tag': expect.stringContaining('noindex'),
    'referrer-policy': 'no-referrer',
  })
