/** A number with commas between the thousands. */
export function withCommas(number: number): string {
  return number.toLocaleString('en')
}
