import { fold } from '@waybill/contract/kit/text'
import type { Random } from '../random.ts'

/** Given and family names by gender: in Polish, Czech and Lithuanian a family name follows it. */
interface People {
  men: [given: readonly string[], family: readonly string[]]
  women: [given: readonly string[], family: readonly string[]]
}

const words = (text: string): string[] => text.split(' ')
const same = (men: string, women: string, family: string): People => ({
  men: [words(men), words(family)],
  women: [words(women), words(family)],
})

const GERMAN = same(
  'Andreas Bernd Christian Daniel Dirk Felix Frank Holger Jan Jens Jörg Kai Lars Marco Markus Matthias Oliver ' +
    'Stefan Sven Thomas Thorsten Uwe',
  'Anja Anke Birgit Britta Carina Claudia Heike Ines Julia Katja Kerstin Lena Maike Manuela Nadine Petra ' +
    'Sabine Sandra Silke Stefanie Svenja Tanja',
  'Albers Bauer Böhm Brandt Dietrich Ehlers Engel Fischer Friedrichs Gerlach Günther Haase Hartmann Heinze ' +
    'Hinrichs Jahn Kaiser Keller Köhler Krüger Lorenz Maurer Niemann Otto Petersen Pohl Reuter Riedel Sander ' +
    'Schuster Seidel Thiele Vogt Wegner Winkler Ziegler',
)
const DUTCH = same(
  'Bart Daan Erik Hans Jeroen Joost Kees Marcel Niels Pieter Ruud Sander Wim',
  'Anouk Els Esther Femke Ilse Ingrid Karin Linda Marieke Saskia Sanne Wendy',
  'Bakker Blom Bosman Dekker Hendriks Hoekstra Huisman Koster Kuipers Mulder Peeters Prins Smits Verbeek ' +
    'Vermeulen Willems',
)
const FRENCH = same(
  'Alain Antoine Benoît Christophe Didier Fabrice Guillaume Julien Laurent Mathieu Nicolas Olivier Sébastien Thierry',
  'Amélie Camille Céline Claire Élodie Hélène Isabelle Julie Nathalie Sandrine Sophie Valérie',
  'Aubert Barbier Blanchard Chevalier Collet Dumas Fabre Fontaine Garnier Lambert Lefort Marchand Noël Perrin ' +
    'Renard Roussel Vidal',
)
const ITALIAN = same(
  'Alessandro Andrea Davide Fabio Federico Giorgio Lorenzo Luca Marco Matteo Paolo Roberto Stefano',
  'Alessia Chiara Elena Federica Francesca Giulia Laura Martina Paola Sara Silvia Valentina',
  'Barbieri Basso Caruso Colombo Conti Fabbri Ferrari Galli Gatti Leone Marchetti Martinelli Moretti ' +
    'Pellegrini Rinaldi Serra Villa',
)
const POLISH: People = {
  men: [
    words(
      'Adam Andrzej Bartosz Dariusz Grzegorz Jacek Jakub Kamil Krzysztof Łukasz Maciej Marcin Marek Mariusz ' +
        'Michał Paweł Piotr Rafał Robert Sławomir Tomasz Wojciech Zbigniew',
    ),
    words(
      'Adamczyk Baran Borkowski Chmielewski Czarnecki Dąbrowski Duda Górski Jabłoński Jankowski Kaczmarek ' +
        'Kamiński Kozłowski Król Kubiak Lis Maciejewski Mazur Michalak Nowicki Olszewski Pawlak Piątek Sadowski ' +
        'Sikora Sobczak Szewczyk Urban Walczak Wieczorek Wiśniewski Zając Zawadzki',
    ),
  ],
  women: [
    words(
      'Agata Agnieszka Aleksandra Alicja Anna Beata Dorota Ewa Ewelina Iwona Joanna Justyna Karolina Katarzyna ' +
        'Magdalena Małgorzata Marta Monika Natalia Paulina Sylwia',
    ),
    words(
      'Adamczyk Baran Borkowska Chmielewska Czarnecka Dąbrowska Duda Górska Jabłońska Jankowska Kaczmarek ' +
        'Kamińska Kozłowska Kubiak Maciejewska Mazur Michalak Nowicka Olszewska Pawlak Sadowska Sikora Sobczak ' +
        'Szewczyk Walczak Wieczorek Wiśniewska Zając Zawadzka',
    ),
  ],
}
const CZECH: People = {
  men: [
    words('David Jakub Jan Jaroslav Jiří Josef Karel Lukáš Martin Michal Milan Ondřej Petr Radek Tomáš Zdeněk'),
    words(
      'Beneš Bláha Černý Doležal Dvořák Fiala Hájek Holub Horák Kolář Kučera Málek Němec Pokorný Růžička ' +
        'Sedláček Veselý Zeman',
    ),
  ],
  women: [
    words('Alena Eva Hana Ivana Jana Kateřina Lenka Lucie Markéta Petra Tereza Veronika'),
    words(
      'Benešová Bláhová Černá Doležalová Dvořáková Fialová Hájková Holubová Horáková Kolářová Kučerová Málková ' +
        'Němcová Pokorná Růžičková Sedláčková Veselá Zemanová',
    ),
  ],
}
const LITHUANIAN: People = {
  men: [
    words('Andrius Darius Gintaras Jonas Marius Mindaugas Rimantas Saulius Tomas Vytautas'),
    words(
      'Balčiūnas Jankauskas Kavaliauskas Kazlauskas Petrauskas Paulauskas Stankevičius Urbonas Vasiliauskas Žukauskas',
    ),
  ],
  women: [
    words('Agnė Eglė Ieva Jurgita Kristina Laura Rasa Rūta'),
    words('Balčiūnienė Jankauskaitė Kavaliauskienė Kazlauskaitė Petrauskienė Urbonienė Vasiliauskaitė Žukauskienė'),
  ],
}
const ROMANIAN = same(
  'Adrian Alexandru Bogdan Cristian Florin Gheorghe Ionuț Mihai Radu Vasile',
  'Alina Andreea Cristina Elena Ioana Mihaela Raluca Simona',
  'Ardelean Bălan Ciobanu Dumitru Enache Ilie Lazăr Lungu Matei Munteanu Neagu Oprea Stoica Tudor Vlad',
)
const HUNGARIAN = same(
  'Attila Balázs Csaba Ferenc Gábor István László Tamás Zoltán',
  'Anikó Erika Eszter Ildikó Katalin Krisztina Mónika Zsófia',
  'Balogh Bíró Fekete Horváth Juhász Kovács Lakatos Németh Papp Szalai Török Varga',
)
const DANISH = same(
  'Anders Christian Jesper Lars Mads Mikkel Morten Rasmus Søren',
  'Anne Camilla Katrine Lone Mette Pernille Signe Trine',
  'Bach Dahl Frandsen Holm Iversen Juhl Kjær Lund Mikkelsen Nygaard Skov Toft',
)
const SPANISH = same(
  'Alberto Carlos Diego Javier Jorge Luis Miguel Pablo Raúl Sergio',
  'Ana Beatriz Carmen Elena Laura Lucía Marta Nuria',
  'Castro Delgado Fuentes Gallego Herrero Iglesias Molina Navarro Ortega Prieto Romero Serrano',
)

const PEOPLE: Readonly<Record<string, People>> = {
  DE: GERMAN,
  AT: GERMAN,
  CH: GERMAN,
  PL: POLISH,
  NL: DUTCH,
  BE: DUTCH,
  FR: FRENCH,
  IT: ITALIAN,
  CZ: CZECH,
  SK: CZECH,
  LT: LITHUANIAN,
  LV: LITHUANIAN,
  RO: ROMANIAN,
  HU: HUNGARIAN,
  DK: DANISH,
  SE: DANISH,
  ES: SPANISH,
  SI: CZECH,
  HR: CZECH,
}

export function personName(random: Random, countryCode: string, womenShare = 0.5): string {
  const people = PEOPLE[countryCode] ?? GERMAN
  const [given, family] = random.chance(womenShare) ? people.women : people.men
  return `${random.pick(given)} ${random.pick(family)}`
}

const CALLING_CODES: Readonly<Record<string, string>> = {
  DE: '49',
  PL: '48',
  NL: '31',
  BE: '32',
  FR: '33',
  IT: '39',
  AT: '43',
  CH: '41',
  CZ: '420',
  SK: '421',
  HU: '36',
  RO: '40',
  LT: '370',
  LV: '371',
  DK: '45',
  SE: '46',
  ES: '34',
  SI: '386',
  HR: '385',
}

/** A number with 555 after the area code: kept free for stories. */
export const phoneNumber = (random: Random, countryCode: string): string =>
  `+${CALLING_CODES[countryCode] ?? '49'} ${random.int(20, 89)} 555 ${random.digits(2)} ${random.digits(2)}`

export const mobileNumber = (random: Random, countryCode: string): string =>
  `+${CALLING_CODES[countryCode] ?? '49'} ${random.int(500, 799)} 555 ${random.digits(3)}`

const slug = (text: string): string =>
  fold(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const LEGAL_FORM = [
  /GmbH & Co\. KG|GmbH|AG|KG|eG|SE|Sp\. z o\.o\.|S\.A\.S?\.?|S\.p\.A\.|S\.r\.l\.|B\.V\.|N\.V\.|NV|BV|BVBA|SARL|SAS|SA/,
  /a\.s\.|s\.r\.o\.|UAB|SIA|SRL|Kft\.|A\/S|ApS|Sp\. k\.|Sp\. j\.|S\.L\./,
]
const LEGAL_FORMS = new RegExp(`\\b(${LEGAL_FORM.map((form) => form.source).join('|')})(?=\\s|$)`, 'g')

/** Every address of the demo ends in .example: no mail can reach anybody. */
export const domainOf = (companyTitle: string): string =>
  `${slug(companyTitle.replace(LEGAL_FORMS, '')).slice(0, 40).replace(/-$/, '')}.example`

export function emailOf(fullName: string, domain: string): string {
  const parts = fullName.split(' ')
  return `${slug(parts[0]!)}.${slug(parts.slice(1).join(' '))}@${domain}`
}

const STREETS: Readonly<Record<string, (random: Random) => string>> = {
  DE: (random) =>
    random.pick([
      'Industriestr.',
      'Gewerbering',
      'Daimlerstr.',
      'Robert-Bosch-Str.',
      'Carl-Benz-Str.',
      'Siemensstr.',
      'Am Güterbahnhof',
      'Hafenstr.',
      'Max-Planck-Str.',
      'Rudolf-Diesel-Str.',
      'Otto-Hahn-Str.',
      'An der Autobahn',
      'Zeppelinstr.',
      'Benzstr.',
    ]) +
    ' ' +
    `${random.int(1, 180)}`,
  PL: (random) =>
    'ul. ' +
    random.pick([
      'Przemysłowa',
      'Fabryczna',
      'Magazynowa',
      'Składowa',
      'Logistyczna',
      'Poznańska',
      'Gdyńska',
      'Kolejowa',
      'Towarowa',
      'Rzemieślnicza',
      'Produkcyjna',
      'Hutnicza',
    ]) +
    ' ' +
    `${random.int(1, 160)}${random.pick(['', '', '', 'A', 'B'])}`,
  NL: (random) =>
    random.pick([
      'Industrieweg',
      'Nijverheidsweg',
      'Handelsweg',
      'Havenweg',
      'Energieweg',
      'Transportweg',
      'Ambachtstraat',
      'Celsiusweg',
    ]) +
    ' ' +
    `${random.int(1, 120)}`,
  BE: (random) =>
    random.pick(['Industrielaan', 'Nijverheidsstraat', 'Havenlaan', 'Ambachtenlaan', 'Vaartdijk', 'Transportstraat']) +
    ' ' +
    `${random.int(1, 150)}`,
  FR: (random) =>
    `${random.int(1, 90)} ` +
    random.pick([
      'rue de l’Industrie',
      'rue des Entrepreneurs',
      'avenue du Port',
      'rue Ampère',
      'rue Gustave Eiffel',
      'boulevard de l’Europe',
      'rue Denis Papin',
    ]),
  IT: (random) =>
    'Via ' +
    random.pick([
      'dell’Industria',
      'dell’Artigianato',
      'Enrico Fermi',
      'Guglielmo Marconi',
      'del Lavoro',
      'Alessandro Volta',
      'delle Industrie',
    ]) +
    ' ' +
    `${random.int(1, 120)}`,
  AT: (random) =>
    `${random.pick(['Industriestraße', 'Gewerbestraße', 'Hafenstraße', 'Wiener Straße', 'Bahnhofstraße'])} ` +
    `${random.int(1, 120)}`,
  CH: (random) =>
    `${random.pick(['Industriestrasse', 'Gewerbestrasse', 'Hafenstrasse', 'Werkstrasse', 'Güterstrasse'])} ` +
    `${random.int(1, 120)}`,
  CZ: (random) =>
    `${random.pick(['Průmyslová', 'Tovární', 'Nádražní', 'Skladová', 'Výpadová'])} ${random.int(1, 999)}/` +
    `${random.int(1, 60)}`,
  SK: (random) => `${random.pick(['Priemyselná', 'Továrenská', 'Železničná', 'Skladová'])} ${random.int(1, 120)}`,
  HU: (random) => `${random.pick(['Ipari park', 'Gyár utca', 'Raktár utca', 'Dohány utca'])} ${random.int(1, 80)}.`,
  RO: (random) => `Str. ${random.pick(['Industriei', 'Uzinei', 'Depozitelor', 'Atelierului'])} ${random.int(1, 90)}`,
  LT: (random) =>
    `${random.pick(['Pramonės pr.', 'Sandėlių g.', 'Terminalo g.', 'Technikos g.'])} ${random.int(1, 90)}`,
  LV: (random) => `${random.pick(['Rūpniecības iela', 'Noliktavu iela', 'Ganību dambis'])} ${random.int(1, 90)}`,
  DK: (random) => `${random.pick(['Industrivej', 'Transportvej', 'Havnevej', 'Fabriksvej'])} ${random.int(1, 120)}`,
  SE: (random) => `${random.pick(['Industrigatan', 'Verkstadsgatan', 'Terminalgatan'])} ${random.int(1, 90)}`,
  ES: (random) =>
    random.pick([
      'Calle de la Industria',
      'Polígono Industrial Sur, Calle A',
      'Avenida del Puerto',
      'Calle de los Talleres',
    ]) +
    ' ' +
    `${random.int(1, 90)}`,
  SI: (random) => `${random.pick(['Industrijska cesta', 'Tovarniška cesta'])} ${random.int(1, 60)}`,
  HR: (random) => `${random.pick(['Industrijska ulica', 'Skladišna ulica'])} ${random.int(1, 60)}`,
}

/** A street as there is one in every industrial estate of that country; the house is invented. */
export const streetOf = (random: Random, countryCode: string): string => (STREETS[countryCode] ?? STREETS.DE!)(random)
