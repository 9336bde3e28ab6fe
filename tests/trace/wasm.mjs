// Prints the lines that the native `motix-trace` prints, from a WebAssembly build.
//
// node wasm.mjs MODULE.wasm TICKS FILE.motixb…

import { readFileSync } from "node:fs";
import { basename } from "node:path";

const [modulePath, ticks, ...files] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), {});
const { memory, room, load, trace } = instance.exports;

for (const file of files) {
    const bytes = readFileSync(file);
    const at = room(bytes.length);
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    const behaviors = load();
    if (behaviors < 0) throw new Error(`${file}: not a program`);
    for (let number = 0; number < behaviors; number += 1) {
        const hash = BigInt.asUintN(64, trace(number, Number(ticks)));
        console.log(`${basename(file)} ${number} ${hash.toString(16).padStart(16, "0")}`);
    }
}
