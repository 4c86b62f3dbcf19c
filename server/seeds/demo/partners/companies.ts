import type { Random } from '../random.ts'

/** What a customer ships decides its cargo, its vehicles and what it is called. */
export const INDUSTRIES = [
  'machinery',
  'furniture',
  'food',
  'chilled',
  'paper',
  'steel',
  'chemicals',
  'automotive',
  'building',
  'textiles',
  'electronics',
  'consumer',
] as const
export type Industry = (typeof INDUSTRIES)[number]

const list = (text: string): string[] => text.split(', ')

/** Invented fore parts by language; they name no firm that we know of. */
const FORE: Readonly<Record<string, string[]>> = {
  DE: list(
    'Auental, Bergwinkel, Birkenhof, Brunnthal, Dreiseen, Eichgrund, Elbwiesen, Falkenried, Fuchsberg, ' +
      'Geestland, Grünau, Haseltal, Heidmark, Holtkamp, Ilmgrund, Kiefernhain, Kranichmoor, Lindhorst, ' +
      'Marschland, Moorkamp, Mühlenfeld, Nordwall, Oderblick, Pappelhof, Querfurth, Rabenstein, Rehwinkel, ' +
      'Rosengart, Saaletal, Sandkrug, Seewald, Silbergrund, Sonnental, Steinhude, Südholz, Talheim, Uferau, ' +
      'Vogelsang, Waldeck, Weidental, Wiesengrund, Wolfsbach',
  ),
  PL: list(
    'Bukowina, Cisna, Dębowiec, Gródek, Jaworzyna, Jezioro, Kalina, Klonowo, Lipowiec, Łąka, Mazury, Modrzew, ' +
      'Nadodrze, Olszyna, Podgórze, Roztocze, Sosnowiec-Las, Świerk, Warta-Dolina, Wierzba, Wisełka, Zagórze, ' +
      'Zielona Dolina, Źródło',
  ),
  NL: list(
    'Duinwijk, Eikendaal, Kempenland, Lindehof, Maasoever, Merwezicht, Noordkade, Peelstroom, Rietveen, ' +
      'Veldhoek, Waalzicht, Zuiderdijk',
  ),
  BE: list('Dendervallei, Durmestreek, Haspenland, Leiehoek, Molenbeek-Veld, Netebos, Scheldewijk, Zennehof'),
  FR: list(
    'Beauval, Bois-Clair, Chantemerle, Clairefontaine-Est, Grandpré, Hautebelle, La Roseraie, Montbrun, ' +
      'Rivebelle, Valfleuri, Vertbois',
  ),
  IT: list('Acquachiara, Bellariva, Collefiorito, Fontebella, Montechiaro, Pianalto, Pratoverde, Roccabruna, Valdoro'),
  CZ: list('Bílá Hora, Černý Les, Jasanov, Klenovec, Lipnice, Modrava, Stříbrno, Zlatník'),
  DK: list('Bøgely, Fjordholm, Lyngbakke, Strandgaard'),
  LT: list('Ąžuolas, Gintaro Kelias, Nemuno Krantas, Pušynas, Šilo Vartai, Žalgirio Tiltas, Vėjo Kryptis'),
  LV: list('Gaujas Ceļš, Jūras Vējš'),
  RO: list('Carpat Drum, Codrul Verde, Dunărea Cargo, Poiana Trans, Valea Albă'),
  HU: list('Alföld Út, Bükkös, Kékhegy, Tiszamente'),
  SK: list('Kriváň Cesta, Liptov Kolo, Váh Dolina'),
}

/** What the firm makes, in the language of its name. */
const TRADES: Readonly<Record<string, Readonly<Record<Industry, string[]>>>> = {
  DE: {
    machinery: list('Maschinenbau, Anlagenbau, Antriebstechnik, Pumpenwerk'),
    furniture: list('Möbelwerke, Küchenbau, Polstermöbel'),
    food: list('Mühlenwerke, Getränke, Süßwaren, Konserven'),
    chilled: list('Molkerei, Frischdienst, Käserei, Tiefkühlkost'),
    paper: list('Papier, Kartonagen, Verpackungen'),
    steel: list('Stahlhandel, Rohrwerk, Drahtwerke'),
    chemicals: list('Chemie, Lacke, Klebstoffe'),
    automotive: list('Automotive, Fahrzeugteile, Presswerk'),
    building: list('Baustoffe, Dämmstoffe, Ziegelwerke, Fliesen'),
    textiles: list('Textil, Vliesstoffe'),
    electronics: list('Elektronik, Leuchten, Schaltanlagen'),
    consumer: list('Haushaltswaren, Gartenbedarf, Spielwaren'),
  },
  PL: {
    machinery: list('Zakład Maszynowy, Fabryka Pomp'),
    furniture: list('Fabryka Mebli, Meble Tapicerowane, Stolarnia'),
    food: list('Zakłady Zbożowe, Przetwory Owocowe, Wytwórnia Słodyczy'),
    chilled: list('Mleczarnia, Mrożonki, Wędliny'),
    paper: list('Papiernia, Opakowania'),
    steel: list('Hurtownia Stali, Konstrukcje Stalowe'),
    chemicals: list('Zakłady Chemiczne, Farby i Lakiery'),
    automotive: list('Części Samochodowe, Odlewnia'),
    building: list('Materiały Budowlane, Okna i Drzwi, Ceramika'),
    textiles: list('Tkaniny, Odzież Robocza'),
    electronics: list('Oświetlenie, Elektrotechnika'),
    consumer: list('Artykuły Domowe, Narzędzia Ogrodowe'),
  },
  NL: {
    machinery: list('Machinefabriek'),
    furniture: list('Meubelen'),
    food: list('Foods, Dranken'),
    chilled: list('Vers, Zuivel, Groenten'),
    paper: list('Verpakkingen'),
    steel: list('Staal'),
    chemicals: list('Coatings, Chemie'),
    automotive: list('Autotechniek'),
    building: list('Bouwmaterialen'),
    textiles: list('Textiel'),
    electronics: list('Elektro'),
    consumer: list('Tuinartikelen, Huishoud'),
  },
  FR: {
    machinery: list('Mécanique, Machines'),
    furniture: list('Mobilier'),
    food: list('Conserverie, Boissons'),
    chilled: list('Laiterie, Fromagerie'),
    paper: list('Cartonnages, Emballages'),
    steel: list('Aciers'),
    chemicals: list('Chimie, Peintures'),
    automotive: list('Équipements Auto'),
    building: list('Matériaux, Carrelages'),
    textiles: list('Tissages'),
    electronics: list('Électronique'),
    consumer: list('Maison et Jardin'),
  },
  IT: {
    machinery: list('Macchine, Meccanica'),
    furniture: list('Arredamenti'),
    food: list('Alimentari, Pastificio'),
    chilled: list('Caseificio, Salumi'),
    paper: list('Cartotecnica'),
    steel: list('Acciai'),
    chemicals: list('Vernici, Chimica'),
    automotive: list('Componenti Auto'),
    building: list('Ceramiche, Laterizi'),
    textiles: list('Tessitura'),
    electronics: list('Elettrotecnica'),
    consumer: list('Casalinghi'),
  },
  CZ: {
    machinery: list('Strojírna'),
    furniture: list('Nábytek'),
    food: list('Pekárny, Nápoje'),
    chilled: list('Mlékárna'),
    paper: list('Papírna, Obaly'),
    steel: list('Ocel'),
    chemicals: list('Barvy, Chemie'),
    automotive: list('Autodíly'),
    building: list('Stavebniny, Keramika'),
    textiles: list('Textil'),
    electronics: list('Elektro'),
    consumer: list('Domácí Potřeby'),
  },
  DK: {
    machinery: list('Maskinfabrik'),
    furniture: list('Møbler'),
    food: list('Fødevarer'),
    chilled: list('Mejeri'),
    paper: list('Emballage'),
    steel: list('Stål'),
    chemicals: list('Kemi'),
    automotive: list('Autodele'),
    building: list('Byggevarer'),
    textiles: list('Tekstil'),
    electronics: list('Elektronik'),
    consumer: list('Husholdning'),
  },
}

/** Countries whose firms are named in a neighbour's language. */
const LANGUAGE_OF: Readonly<Record<string, string>> = { AT: 'DE', CH: 'DE', BE: 'NL', SK: 'CZ' }

const FORMS: Readonly<Record<string, string[]>> = {
  DE: list('GmbH, GmbH, GmbH & Co. KG, AG, KG'),
  AT: list('GmbH, GmbH, AG'),
  CH: list('AG, AG, GmbH'),
  PL: list('Sp. z o.o., Sp. z o.o., S.A.'),
  NL: list('B.V.'),
  BE: list('NV, BV'),
  FR: list('SAS, SARL, SA'),
  IT: list('S.r.l., S.p.A.'),
  CZ: list('s.r.o., a.s.'),
  SK: list('s.r.o.'),
  DK: list('A/S, ApS'),
  LT: list('UAB'),
  LV: list('SIA'),
  RO: list('SRL'),
  HU: list('Kft.'),
}

const FREIGHT: Readonly<Record<string, string[]>> = {
  DE: list('Transporte, Spedition, Logistik, Güterverkehr'),
  PL: list('Transport, Trans, Logistyka, Spedycja'),
  NL: list('Transport, Logistiek'),
  CZ: list('Doprava, Trans'),
  LT: list('Transportas, Logistika'),
  LV: list('Transports'),
  RO: list('Logistic'),
  HU: list('Fuvar'),
}

/** Draws names until there is one that nobody has yet. */
function untaken(taken: Set<string>, draw: () => string): string {
  for (let tries = 0; ; tries += 1) {
    const title = draw()
    if (!taken.has(title) || tries > 500) {
      const free = taken.has(title) ? `${title} ${taken.size}` : title
      taken.add(free)
      return free
    }
  }
}

export function customerTitle(random: Random, taken: Set<string>, countryCode: string, industry: Industry): string {
  const language = LANGUAGE_OF[countryCode] ?? countryCode
  const fore = (countryCode === 'BE' ? FORE.BE : FORE[language])!
  return untaken(taken, () => {
    const trade = random.pick(TRADES[language]![industry])
    const isTradeFirst = language === 'PL' || language === 'FR' || language === 'IT'
    const name = isTradeFirst ? `${trade} ${random.pick(fore)}` : `${random.pick(fore)} ${trade}`
    return `${name} ${random.pick(FORMS[countryCode]!)}`
  })
}

export function carrierTitle(random: Random, taken: Set<string>, countryCode: string): string {
  const language = LANGUAGE_OF[countryCode] ?? countryCode
  const fore = (countryCode === 'SK' ? FORE.SK : countryCode === 'BE' ? FORE.BE : FORE[language])!
  return untaken(
    taken,
    () => `${random.pick(fore)} ${random.pick(FREIGHT[language]!)} ${random.pick(FORMS[countryCode]!)}`,
  )
}
