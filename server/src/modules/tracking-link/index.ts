export {
  makeTrackingLinkFor,
  noteTrackingLinksSent,
  trackingPlacesOf,
  type TrackingPlace,
} from './links-for-mails.ts'

/** Links of the demo's orders. */
export { insertLink } from './tracking-link.repository.ts'
