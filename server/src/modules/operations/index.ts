export { tableFigures, type TableFigures } from './table-figures.query.ts'
