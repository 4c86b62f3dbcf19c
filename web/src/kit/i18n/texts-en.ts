import { en } from '@waybill/contract/errors/en'

/** Where the English texts are: one chunk per file, and a page loads what it names. */
export const files = import.meta.glob('../../locales/en/*.json')
/** What the contract's schemas find wrong with a field; the server has the same words. */
export const fieldErrors = en
