export { createGeocoder } from './geocoder.ts'
