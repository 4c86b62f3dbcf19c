/** Links of the demo's transports. */
export { insertLink, insertReport, workingLink as linkOfRoute } from './driver-link.repository.ts'
export { insertTruckLink } from './truck-link.repository.ts'
