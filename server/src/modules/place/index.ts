export { fillGazetteer } from './fill-gazetteer.job.ts'
export { createGeocoder } from './geocoder.ts'
export { createRoadRouting } from './road-routing.ts'
export { isSameTown } from './same-town.ts'
/** Towns as mails name them, for a process of its own. */
export { readKnownTowns } from './known-towns.ts'
