/** In English, which is what it is kept by, German and Polish. */
const titled = (titleEn: string, titleDe: string, titlePl: string) => ({ title: titleEn, titleEn, titleDe, titlePl })

interface Unit extends ReturnType<typeof titled> {
  lengthCm?: number
  widthCm?: number
  heightCm?: number
}

/** What a road-freight forwarder meets every day, with what has a usual size; staff add their own. */
export const UNIT_TYPES: readonly Unit[] = [
  { ...titled('Europallet', 'Europalette', 'Europaleta'), lengthCm: 120, widthCm: 80 },
  titled('Pallet', 'Palette', 'Paleta'),
  { ...titled('Half pallet', 'Halbpalette (Düsseldorfer)', 'Półpaleta'), lengthCm: 80, widthCm: 60 },
  { ...titled('Industrial pallet', 'Industriepalette', 'Paleta przemysłowa'), lengthCm: 120, widthCm: 100 },
  { ...titled('Mesh box', 'Gitterbox', 'Gitterboks'), lengthCm: 120, widthCm: 80, heightCm: 97 },
  titled('Carton', 'Karton', 'Karton'),
  titled('Crate', 'Kiste', 'Skrzynia'),
  titled('Roll', 'Rolle', 'Rola'),
  titled('Bundle', 'Bund', 'Wiązka'),
  { ...titled('IBC', 'IBC', 'Paletopojemnik (IBC)'), lengthCm: 120, widthCm: 100, heightCm: 116 },
  titled('Drum', 'Fass', 'Beczka'),
  titled('Big bag', 'Big Bag', 'Big bag'),
  titled('Coil', 'Coil', 'Krąg (coil)'),
  titled('Piece', 'Stück', 'Sztuka'),
]

export const VEHICLE_TYPES = [
  titled('Curtain-sider 13.6 m', 'Planenauflieger 13,6 m', 'Naczepa firanka 13,6 m'),
  titled('Mega trailer', 'Megatrailer', 'Naczepa mega'),
  titled('Box trailer', 'Kofferauflieger', 'Naczepa furgonowa'),
  titled('Reefer', 'Kühlauflieger', 'Chłodnia'),
  titled('Coil trailer', 'Coilmulde', 'Coilmulda'),
  titled('Flatbed', 'Plateauauflieger', 'Platforma'),
  titled('Low loader', 'Tieflader', 'Naczepa niskopodwoziowa'),
  titled('Tanker', 'Tankauflieger', 'Cysterna'),
  titled('Walking floor', 'Schubboden', 'Ruchoma podłoga'),
  titled('Solo truck 12 t', 'Solo-Lkw 12 t', 'Solówka 12 t'),
  titled('Solo truck 7.5 t', 'Solo-Lkw 7,5 t', 'Solówka 7,5 t'),
  titled('Van', 'Transporter', 'Samochód dostawczy'),
]

/** Which emission factor of the first day counts for which of these. */
export const EMISSION_CLASSES = VEHICLE_TYPES.map(({ title }) => ({
  title,
  class:
    title === 'Van'
      ? 'van'
      : title.startsWith('Solo')
        ? 'rigid12'
        : title === 'Reefer'
          ? 'refrigerated'
          : title.startsWith('Mega')
            ? 'mega'
            : 'articulated',
}))

export const CARGO_TYPES = [
  titled('General cargo', 'Stückgut', 'Drobnica'),
  titled('Food', 'Lebensmittel', 'Żywność'),
  titled('Machinery', 'Maschinen', 'Maszyny'),
  titled('Furniture', 'Möbel', 'Meble'),
  titled('Textiles', 'Textilien', 'Tekstylia'),
  titled('Paper', 'Papier', 'Papier'),
  titled('Steel', 'Stahl', 'Stal'),
  titled('Chemicals', 'Chemikalien', 'Chemikalia'),
  titled('Electronics', 'Elektronik', 'Elektronika'),
  titled('Automotive parts', 'Kfz-Teile', 'Części samochodowe'),
  titled('Building materials', 'Baustoffe', 'Materiały budowlane'),
  titled('Other', 'Sonstiges', 'Inne'),
]

export const SPECIAL_HANDLING_TYPES = [
  titled('Temperature controlled', 'Temperaturgeführt', 'Kontrolowana temperatura'),
  titled('Dangerous goods (ADR)', 'Gefahrgut (ADR)', 'Towary niebezpieczne (ADR)'),
  titled('Tail lift', 'Hebebühne', 'Winda załadowcza'),
  titled('Fragile', 'Zerbrechlich', 'Towar kruchy'),
  titled('Keep upright', 'Aufrecht transportieren', 'Przewozić pionowo'),
  titled('Do not stack', 'Nicht stapeln', 'Nie piętrować'),
  titled('Oversize', 'Übermaß', 'Ponadgabaryt'),
  titled('High value', 'Hoher Warenwert', 'Wysoka wartość'),
  titled('Insurance wanted', 'Versicherung gewünscht', 'Wymagane ubezpieczenie'),
  titled('Customs goods', 'Zollgut', 'Towar celny'),
  titled('Wedges needed', 'Keile nötig', 'Wymagane kliny'),
  titled('Straps needed', 'Gurte nötig', 'Wymagane pasy'),
]

const MEANS = { male: ['Mr', 'Herr', 'Pan'], female: ['Ms', 'Frau', 'Pani'] } as const

/** The word of its country, with what it means to the others: *Monsieur (Herr)*. */
export function salutationTitles(title: string, gender: keyof typeof MEANS) {
  const [titleEn, titleDe, titlePl] = MEANS[gender].map((word) => (word === title ? title : `${title} (${word})`))
  return { title, titleEn, titleDe, titlePl }
}

/** Title, gender, code of the country. */
export const SALUTATIONS = [
  ['Herr', 'male', 'DE'],
  ['Frau', 'female', 'DE'],
  ['Pan', 'male', 'PL'],
  ['Pani', 'female', 'PL'],
  ['Mr', 'male', 'GB'],
  ['Ms', 'female', 'GB'],
  ['Monsieur', 'male', 'FR'],
  ['Madame', 'female', 'FR'],
  ['De heer', 'male', 'NL'],
  ['Mevrouw', 'female', 'NL'],
  ['Signor', 'male', 'IT'],
  ['Signora', 'female', 'IT'],
  ['Señor', 'male', 'ES'],
  ['Señora', 'female', 'ES'],
] as const
