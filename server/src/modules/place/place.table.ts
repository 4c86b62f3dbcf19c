declare module '../../kit/database/db.ts' {
  interface Tables {
    place: {
      geonameId: number
      /** a name as searches compare it: one of the place's names, or what is left of it from a later word on */
      key: string
      isLaterWord: boolean
      /** as it stands on an envelope: the native name */
      title: string
      countryCode: string
      latitude: number
      longitude: number
      population: number
      /** a large town, by which smaller ones are told apart; on one row of it */
      isLandmark: boolean
    }
  }
}

export {}
