/** Whether a text consists of decimal digits, the last of which is their Luhn check digit (ISO/IEC 7812-1 annex B). */
export function passesLuhn(text: string): boolean {
  let sum = 0
  let isDoubled = false
  for (let at = text.length - 1; at >= 0; at--) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return false
    const weighted = isDoubled ? digit * 2 : digit
    sum += weighted > 9 ? weighted - 9 : weighted
    isDoubled = !isDoubled
  }
  return sum % 10 === 0
}
