import { sql, type Kysely } from 'kysely'

/** English title as it shipped, German and Polish. */
type Shipped = readonly (readonly [title: string, de: string, pl: string])[]

const SHIPPED: Readonly<Record<string, Shipped>> = {
  unit_type: [
    ['Europallet', 'Europalette', 'Europaleta'],
    ['Pallet', 'Palette', 'Paleta'],
    ['Half pallet', 'Halbpalette (Düsseldorfer)', 'Półpaleta'],
    ['Industrial pallet', 'Industriepalette', 'Paleta przemysłowa'],
    ['Mesh box', 'Gitterbox', 'Gitterboks'],
    ['Carton', 'Karton', 'Karton'],
    ['Crate', 'Kiste', 'Skrzynia'],
    ['Roll', 'Rolle', 'Rola'],
    ['Bundle', 'Bund', 'Wiązka'],
    ['IBC', 'IBC', 'Paletopojemnik (IBC)'],
    ['Drum', 'Fass', 'Beczka'],
    ['Big bag', 'Big Bag', 'Big bag'],
    ['Coil', 'Coil', 'Krąg (coil)'],
    ['Piece', 'Stück', 'Sztuka'],
  ],
  vehicle_type: [
    ['Curtain-sider 13.6 m', 'Planenauflieger 13,6 m', 'Naczepa firanka 13,6 m'],
    ['Mega trailer', 'Megatrailer', 'Naczepa mega'],
    ['Box trailer', 'Kofferauflieger', 'Naczepa furgonowa'],
    ['Reefer', 'Kühlauflieger', 'Chłodnia'],
    ['Coil trailer', 'Coilmulde', 'Coilmulda'],
    ['Flatbed', 'Plateauauflieger', 'Platforma'],
    ['Low loader', 'Tieflader', 'Naczepa niskopodwoziowa'],
    ['Tanker', 'Tankauflieger', 'Cysterna'],
    ['Walking floor', 'Schubboden', 'Ruchoma podłoga'],
    ['Solo truck 12 t', 'Solo-Lkw 12 t', 'Solówka 12 t'],
    ['Solo truck 7.5 t', 'Solo-Lkw 7,5 t', 'Solówka 7,5 t'],
    ['Van', 'Transporter', 'Samochód dostawczy'],
  ],
  cargo_type: [
    ['General cargo', 'Stückgut', 'Drobnica'],
    ['Food', 'Lebensmittel', 'Żywność'],
    ['Machinery', 'Maschinen', 'Maszyny'],
    ['Furniture', 'Möbel', 'Meble'],
    ['Textiles', 'Textilien', 'Tekstylia'],
    ['Paper', 'Papier', 'Papier'],
    ['Steel', 'Stahl', 'Stal'],
    ['Chemicals', 'Chemikalien', 'Chemikalia'],
    ['Electronics', 'Elektronik', 'Elektronika'],
    ['Automotive parts', 'Kfz-Teile', 'Części samochodowe'],
    ['Building materials', 'Baustoffe', 'Materiały budowlane'],
    ['Other', 'Sonstiges', 'Inne'],
  ],
  special_handling_type: [
    ['Temperature controlled', 'Temperaturgeführt', 'Kontrolowana temperatura'],
    ['Dangerous goods (ADR)', 'Gefahrgut (ADR)', 'Towary niebezpieczne (ADR)'],
    ['Tail lift', 'Hebebühne', 'Winda załadowcza'],
    ['Fragile', 'Zerbrechlich', 'Towar kruchy'],
    ['Keep upright', 'Aufrecht transportieren', 'Przewozić pionowo'],
    ['Do not stack', 'Nicht stapeln', 'Nie piętrować'],
    ['Oversize', 'Übermaß', 'Ponadgabaryt'],
    ['High value', 'Hoher Warenwert', 'Wysoka wartość'],
    ['Insurance wanted', 'Versicherung gewünscht', 'Wymagane ubezpieczenie'],
    ['Customs goods', 'Zollgut', 'Towar celny'],
    ['Wedges needed', 'Keile nötig', 'Wymagane kliny'],
    ['Straps needed', 'Gurte nötig', 'Wymagane pasy'],
  ],
  user_role: [
    ['Administration', 'Verwaltung', 'Administracja'],
    ['Dispatch', 'Disposition', 'Spedycja'],
    ['Dispatch, own orders', 'Disposition, eigene Aufträge', 'Spedycja, własne zlecenia'],
    ['Accounting', 'Buchhaltung', 'Księgowość'],
  ],
}

/** What the shipped units measure, in cm: length, width, height. */
const DIMENSIONS: readonly (readonly [title: string, length: number, width: number, height: number | null])[] = [
  ['Europallet', 120, 80, null],
  ['Half pallet', 80, 60, null],
  ['Industrial pallet', 120, 100, null],
  ['Mesh box', 120, 80, 97],
  ['IBC', 120, 100, 116],
]

/** The word of its country, with what it means to the others. */
const MEANS = { male: { en: 'Mr', de: 'Herr', pl: 'Pan' }, female: { en: 'Ms', de: 'Frau', pl: 'Pani' } } as const
const SALUTATIONS: Readonly<Record<keyof typeof MEANS, readonly string[]>> = {
  male: ['Herr', 'Pan', 'Mr', 'Monsieur', 'De heer', 'Signor', 'Señor'],
  female: ['Frau', 'Pani', 'Ms', 'Madame', 'Mevrouw', 'Signora', 'Señora'],
}

const LANGUAGES = [
  ['en', 'titleEn'],
  ['de', 'titleDe'],
  ['pl', 'titlePl'],
] as const
// What CLDR names beside countries: pseudo-locales, outlying Oceania, unions, the unknown.
const NO_COUNTRIES = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Code → what a country is called in a language, by the Unicode CLDR that Node brings along. */
function countryNames(language: string): Record<string, string> {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
  return Object.fromEntries(
    codes.flatMap((code) => {
      const name = names.of(code)
      return name === undefined || NO_COUNTRIES.has(code) ? [] : [[code, name]]
    }),
  )
}

/** A title in each of our languages, and what a unit measures (decision 058). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of [...Object.keys(SHIPPED), 'salutation']) {
    await sql`
      alter table ${sql.table(table)}
        drop column "searchKey",
        add column "titleEn" text, add column "titleDe" text, add column "titlePl" text
    `.execute(db)
    // Found by any of them, whatever the person's language.
    await sql`
      alter table ${sql.table(table)} add column "searchKey" text generated always as (search_key(title || ' '
        || coalesce("titleEn", '') || ' ' || coalesce("titleDe", '') || ' ' || coalesce("titlePl", ''))) stored
    `.execute(db)
  }
  await sql`
    alter table unit_type
      add column "lengthCm" double precision, add column "widthCm" double precision,
      add column "heightCm" double precision
  `.execute(db)

  for (const [table, rows] of Object.entries(SHIPPED)) {
    for (const [title, de, pl] of rows)
      await sql`
        update ${sql.table(table)} set "titleEn" = ${title}, "titleDe" = ${de}, "titlePl" = ${pl} where title = ${title}
      `.execute(db)
  }
  for (const [title, length, width, height] of DIMENSIONS)
    await sql`
      update unit_type set "lengthCm" = ${length}, "widthCm" = ${width}, "heightCm" = ${height} where title = ${title}
    `.execute(db)
  for (const gender of ['male', 'female'] as const) {
    for (const title of SALUTATIONS[gender]) {
      const said = (word: string) => (word === title ? title : `${title} (${word})`)
      const { en, de, pl } = MEANS[gender]
      await sql`
        update salutation set "titleEn" = ${said(en)}, "titleDe" = ${said(de)}, "titlePl" = ${said(pl)}
        where title = ${title} and gender = ${gender}
      `.execute(db)
    }
  }

  for (const [language, column] of LANGUAGES) {
    await sql`
      alter table country add column ${sql.ref(column)} text generated always as
        (${sql.lit(JSON.stringify(countryNames(language)))}::jsonb ->> code) stored
    `.execute(db)
  }
}
