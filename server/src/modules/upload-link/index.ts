export { admitFound, admitToken } from './admit-token.ts'
export { keepPicture } from './files/keep-picture.ts'
export { lookThrough, scanUpload } from './files/look-through.ts'
export { entrustInvoice, linksOfOrder, makeLinkFor, noteLinksSent, type PrintedLink } from './links-for-papers.ts'
export { sweepUploads } from './sweep-uploads.ts'
/** Links of the demo's transports. */
export { insertLink, newNonce, revokeLinks } from './upload-link.repository.ts'
