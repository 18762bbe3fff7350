// Scans a text with one instruction set, for counting the instructions that this executes:
//
//     scan structure|passages|parser|none SET FILE
//
// The text is divided into chunks of 256 KiB, as archives are when they are read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser.h"
#include "passages.h"
#include "structure.h"

enum { chunk_size = 1 << 18 };

int main(int count, char **arguments) {
    static uint8_t text[chunk_size];
    static structure_block blocks[chunk_size / 64];
    static json_token tokens[chunk_size + 1];
    static passage passages[chunk_size / passages_least_length];
    FILE *file = count == 4 ? fopen(arguments[3], "rb") : NULL;
    if (!file) return 2;
    instruction_set set = (instruction_set)atoi(arguments[2]);
    structure_state structure = {0, 0, 0};
    passages_state strings = {0, 0, 0};
    json_parser *parser = json_parser_create_with(set);
    size_t size, found;
    while ((size = fread(text, 1, sizeof text, file)) > 0) {
        if (strcmp(arguments[1], "structure") == 0)
            structure_scan_with(set, text, size / 64 * 64, 3, &structure, blocks);
        if (strcmp(arguments[1], "passages") == 0) passages_find_with(set, text, size, &strings, passages);
        // The files follow each other as elements of an array.
        if (strcmp(arguments[1], "parser") == 0 && !json_parser_parse(parser, text, size, tokens, &found)) return 1;
    }
}
