export { createGeocoder } from './geocoder.ts'
export { createRoadRouting } from './road-routing.ts'
