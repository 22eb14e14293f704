# The menu. Every line calls cargo xtask, which says what each verb does.

# list the menu
default:
    @just --list

# run the product with its demo content
up *ARGS:
    cargo xtask up {{ARGS}}

# pass every test
test *ARGS:
    cargo xtask test {{ARGS}}

# prove who may know whom
tidy:
    cargo xtask tidy

# server -> openapi.json -> TypeScript
codegen *ARGS:
    cargo xtask codegen {{ARGS}}

# measure against the machine's own limits
bench *ARGS:
    cargo xtask bench {{ARGS}}

# hold the API's description against a real server
fuzz-api *ARGS:
    cargo xtask fuzz-api {{ARGS}}

# load content
seed *ARGS:
    cargo xtask seed {{ARGS}}

# add a root key and make it current
rotate-keys *ARGS:
    cargo xtask rotate-keys {{ARGS}}
