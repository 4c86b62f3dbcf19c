export { linksOfOrder, makeLinkFor, noteLinksSent, type PrintedLink } from './links-for-papers.ts'
export { sweepUploads } from './sweep-uploads.ts'
