const OF_CARGO = [
  'customerId',
  'cargoTypeId',
  'valueCents',
  'packages',
  'stackingFactor',
  'specialHandlingTypeIds',
  'instructions',
  'marks',
  'temperatureFrom',
  'temperatureTo',
  'adr',
]

/** What a stop says in its window. */
export const FIELDS_OF_STOP = ['reference', 'phone', 'specialInstructions', 'comment'] as const

const rowBehind =
  (list: string, fields: readonly string[]) =>
  (path: string): number | null => {
    const [top, row, field] = path.split('.')
    return top === list && field !== undefined && fields.includes(field) ? Number(row) : null
  }

/** The line whose dialog holds the field of a path, or null. */
export const lineBehind = rowBehind('cargo', OF_CARGO)

/** The stop whose dialog holds the field of a path, on the screen that shows stops as a grid, or null. */
export const stopBehind = rowBehind('locations', FIELDS_OF_STOP)
