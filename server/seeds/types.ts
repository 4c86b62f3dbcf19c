/** What a road-freight forwarder meets every day; staff add their own. */
export const UNIT_TYPES = [
  'Europallet',
  'Pallet',
  'Half pallet',
  'Industrial pallet',
  'Mesh box',
  'Carton',
  'Crate',
  'Roll',
  'Bundle',
  'IBC',
  'Drum',
  'Big bag',
  'Coil',
  'Piece',
]

export const VEHICLE_TYPES = [
  'Curtain-sider 13.6 m',
  'Mega trailer',
  'Box trailer',
  'Reefer',
  'Coil trailer',
  'Flatbed',
  'Low loader',
  'Tanker',
  'Walking floor',
  'Solo truck 12 t',
  'Solo truck 7.5 t',
  'Van',
]

export const CARGO_TYPES = [
  'General cargo',
  'Food',
  'Machinery',
  'Furniture',
  'Textiles',
  'Paper',
  'Steel',
  'Chemicals',
  'Electronics',
  'Automotive parts',
  'Building materials',
  'Other',
]

export const SPECIAL_HANDLING_TYPES = [
  'Temperature controlled',
  'Dangerous goods (ADR)',
  'Tail lift',
  'Fragile',
  'Keep upright',
  'Do not stack',
  'Oversize',
  'High value',
  'Insurance wanted',
  'Customs goods',
  'Wedges needed',
  'Straps needed',
]

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
