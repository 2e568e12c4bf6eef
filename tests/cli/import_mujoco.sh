# Imported robots against MuJoCo, which reads the sources itself: mass matrix, bias, constraints at random poses, relative to 1e-9
# (tests/mujoco/compare.c); MuJoCo's models and those of dart-doc where they are installed.
. "$SOURCE/tests/cli/lib.bash"
if [ -z "$COMPARE_MUJOCO" ]; then
    echo "skipped: no MuJoCo (scripts/setup robots)"
    exit 77
fi

# same FILE NAME
same() {
    expect 0 import "$1" -q -o "$2.yaml"
    ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 "$COMPARE_MUJOCO" "$1" "$2.yaml" >out 2>err || fail "$1 differs from MuJoCo"
    echo "$2: $(cat out)"
}

same "$SOURCE/docs/samples/four_bar.xml" four_bar
same "$SOURCE/tests/mujoco/joints.xml" joints
# what flags of <option> switch off
for flag in gravity passive; do
    sed "s|\(<option .*\)/>|\1><flag $flag='disable'/></option>|" "$SOURCE/tests/mujoco/joints.xml" >"no_$flag.xml"
    same "no_$flag.xml" "no_$flag"
done
[ -d /usr/share/mujoco/model ] || echo "without MuJoCo's models: no package libmujoco-samples"
for file in /usr/share/mujoco/model/{humanoid/humanoid,slider_crank/slider_crank,tendon_arm/arm26}.xml; do
    [ ! -f "$file" ] || same "$file" "$(basename "$file" .xml)"
done
# MuJoCo wants the files of meshes: it gets the robots without shapes.
[ -d /usr/share/doc/dart/data ] || echo "without public URDF: no package dart-doc"
for file in /usr/share/doc/dart/data/{urdf/wam/wam,sdf/atlas/atlas_v3_no_head,urdf/drchubo/drchubo,urdf/KR5/KR5*}.urdf; do
    [ -f "$file" ] || continue
    name=$(basename "$file" .urdf | tr ' ' _)
    awk '/<(visual|collision)[ >]/ { gone = 1 } !gone; /<\/(visual|collision)>/ { gone = 0 }' "$file" >"$name.urdf"
    same "$name.urdf" "$name"
done
finish
