/** Where the Polish texts are: one chunk per file, and a page loads what it names. Public pages bring theirs. */
export const files = import.meta.glob([
  '../../locales/pl/*.json',
  '!../../locales/pl/{drive,price-page,quote-page,statement-page,upload-documents}.json',
])
/** What the contract's schemas find wrong with a field; the server has the same words. */
export const fieldErrors = async () => (await import('@waybill/contract/errors/pl')).pl
