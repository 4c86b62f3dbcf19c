export { createGeocoder } from './geocoder.ts'
export { createRoadRouting } from './road-routing.ts'
/** Towns as mails name them, for a process of its own. */
export { readKnownTowns } from './known-towns.ts'
/** How far it is between two places by road, estimated. */
export { estimatedKm } from './distance.rules.ts'
